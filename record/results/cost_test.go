package results_test

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// TestCostOfARun reads journals of two models: with prices, with costs that servers report, and
// with neither.
func TestCostOfARun(t *testing.T) {
	const both = `{"":{"in":1,"cached":0.5,"out":2},"eap":{"in":10,"cached":10,"out":20}}`
	for _, c := range []struct {
		name, prices, reported string
		want                   float64 // NaN: not known
		role                   float64 // of eap/E1
	}{
		{"prices", both, "", (600*1 + 400*0.5 + 100*2 + 1000*10 + 100*20) / 1e6,
			(1000*10 + 100*20) / 1e6},
		{"the server's own goes first", both, `,"cost":0.25`, 0.25 + (1000*10+100*20)/1e6,
			(1000*10 + 100*20) / 1e6},
		{"one model has no price", `{"":{"in":1,"cached":1,"out":2}}`, "", math.NaN(), math.NaN()},
		{"no prices", `null`, "", math.NaN(), math.NaN()},
		{"impossible prices", `{"":{"in":-1,"cached":1,"out":2}}`, "", math.NaN(), math.NaN()},
		{"no JSON", `{`, "", math.NaN(), math.NaN()},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			header := fmt.Sprintf(`{"format":%d,"task":"tsp-construct","method":"pace",`+
				`"models":{"":"openai:a","eap":"openai:b"},"seed":1,"budget":1,"requests":5}`,
				record.FormatVersion)
			journal := `{"header":` + header + `}
{"step":{"number":0,"requests":[{"request":{"purpose":"algorithm/I1","user":[{"text":"q"}],` +
				`"temperature":1,"draw":1},"reply":{"text":"a","usage":{"prompt":1000,` +
				`"cached":400,"completion":100` + c.reported + `}}}],` +
				`"evaluations":[{"evaluation":1,"source":"x","score":-7,"values":[7]}]}}
{"step":{"number":1,"requests":[{"request":{"purpose":"eap/E1","user":[{"text":"q"}],` +
				`"temperature":1,"draw":2},"reply":{"text":"a",` +
				`"usage":{"prompt":1000,"completion":100}}}]}}
`
			for name, text := range map[string]string{"journal.jsonl": journal,
				"run.json": `{"header":` + header + `,"prices":` + c.prices + `}`} {
				must.Write(t, filepath.Join(dir, name), text)
			}
			s, err := results.Read(nil, dir)
			if err != nil || len(s.Runs) != 1 {
				t.Fatalf("%v, %v", s, err)
			}
			r := s.Runs[0]
			usd, known := r.Cost()
			if known == math.IsNaN(c.want) || known && math.Abs(usd-c.want) > 1e-12 {
				t.Errorf("cost %g, known %v; want %g", usd, known, c.want)
			}
			if eap := r.Usage["eap/E1"].Cost; (eap == nil) != math.IsNaN(c.role) ||
				eap != nil && math.Abs(*eap-c.role) > 1e-12 {
				t.Errorf("cost of E1 %v, want %g", eap, c.role)
			}
			l, err := record.Load(dir)
			must.Do(t, err)
			if sum := l.Summarize().Usage["eap/E1"].Cost; (sum == nil) != math.IsNaN(c.role) {
				t.Errorf("cost of E1 in the result: %v, want %g", sum, c.role)
			}
		})
	}
}
