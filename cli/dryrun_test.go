package cli

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/suite"
)

func TestForecastsFitTheTerminal(t *testing.T) {
	rows := []*suite.Forecast{
		{Task: "tsp-aco", Method: "aco", Runs: 1, Source: "no search"},
		{Task: "tsp-aco", Method: "pace@operators=P2,P3,P4", Model: "gpt-4o-mini", Runs: 3,
			Evaluations: 3000, Requests: 3750, Tokens: 123.45e6, Hours: 10.6, Usd: 101.34,
			Source: "the paper's tokens"},
		{Task: "racing-car", Method: "pace", Model: "gpt-4o-mini+eap=gemini-3.1-flash-lite",
			Runs: 3, Source: "the paper's tokens"},
		{Task: "tsp-aco", Method: "eoh", Model: "gpt-4o-mini", Runs: 3, Source: "data/costs.toml"},
	}
	total := suite.Forecast{Task: "total"}
	for _, f := range rows {
		total.Add(*f)
	}
	for columns, from := range map[int]bool{80: false, 120: true} {
		var b strings.Builder
		must.Do(t, printForecasts(&b, rows, &total, true, columns))
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(line) - 1; n > columns {
				t.Errorf("%d columns in %d: %q", n, columns, line)
			}
		}
		if got := strings.Contains(b.String(), "the paper's tokens"); got != from {
			t.Errorf("%d columns: what rows are estimated from is shown: %v\n%s",
				columns, got, b.String())
		}
		if n := strings.Count(b.String(), "tsp-aco, gpt-4o-mini\n"); n != 1 {
			t.Errorf("the rows of a task and a model stand in %d places\n%s", n, b.String())
		}
	}
}
