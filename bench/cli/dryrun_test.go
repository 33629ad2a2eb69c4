package cli

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestForecastsFitTheTerminal(t *testing.T) {
	rows := []*forecast{
		{task: "tsp-aco", method: "aco", cells: 1, source: "no search"},
		{task: "tsp-aco", method: "pace@operators=P2,P3,P4", model: "gpt-4o-mini", cells: 3,
			evaluations: 3000, requests: 3750, tokens: 123.45e6, hours: 10.6, usd: 101.34,
			source: "the paper's tokens"},
		{task: "racing-car", method: "pace", model: "gpt-4o-mini+eap=gemini-3.1-flash-lite",
			cells: 3, source: "the paper's tokens"},
		{task: "tsp-aco", method: "eoh", model: "gpt-4o-mini", cells: 3, source: "data/costs.toml"},
	}
	total := forecast{task: "total"}
	for _, f := range rows {
		total.add(*f)
	}
	for columns, from := range map[int]bool{80: false, 99: false, 100: true} {
		var b strings.Builder
		writeForecasts(&b, rows, &total, true, columns)
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
