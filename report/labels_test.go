package report

import (
	"testing"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/render"
)

// labels name the rows of the paper's tables.
var labels = Labels{resultstest.Tasks, resultstest.Methods}

// everything shows all rows, also rows without runs and the paper's rows.
var everything = Options{
	Labels: labels, Printed: data.Published, Published: true, All: true,
}

// title labels the group of one key.
func title(k results.Key) string { return labels.group(&results.Group{Key: k}).title() }

func TestLabels(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{title(results.Key{Method: "pace", Variant: "operators=P1,P2,P4"}), "PACE, w/o P3"},
		{title(results.Key{Method: "pace", Variant: "k=7"}), "PACE, k=7"},
		{title(results.Key{Method: "mine"}), "mine"},
		{title(results.Key{Task: "tsp-aco", Method: "aco"}), "ACO"},
		{title(results.Key{Task: "cvrp-aco", Method: "aco"}), "aco"}, // a row of another task
		{labels.task("tsp-aco@replicates=4").Title, "TSP-ACO, replicates=4"},
		{modelTitle(results.Models(map[string]string{
			"": "openai:gpt-4o-mini", "eap": "openai:deepseek-v4-flash",
		})), "gpt-4o-mini, EAP: deepseek-v4-flash"},
		{modelTitle(results.Models(map[string]string{"": "offline", "eap": "offline"})), "offline"},
		{render.FileName("../a b/č"), "a-b"},
		{render.FileName("…"), "unnamed"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
