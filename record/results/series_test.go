package results_test

import (
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/methods/hsevo"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// search returns a small run of PACE: EAP 0 comes from program 1, program 2 is better, program 1
// leaves, and program 4 still calls the EAP. The steps with programs take 1, 2, 4 and 8 seconds if
// timing is timed.
func search(t *testing.T, timing string) *results.Run {
	t.Helper()
	dir := t.TempDir()
	long := strings.Repeat("x = 1\n", 400) // a reader omits such long texts, but not programs
	evaluated := func(step, evaluation int, notes, source string, length float64) string {
		return fmt.Sprintf(`{"step":{"number":%d,"requests":[{"request":{"purpose":"algorithm/P1",`+
			`"user":[{"text":"q"}],"temperature":1,"draw":1},`+
			`"reply":{"text":"a","usage":{"prompt":1,"completion":1}}}],`+
			`"evaluations":[{"evaluation":%d,"source":%q,"score":%g,"values":[%g]}],"notes":[%s]}}`,
			step, evaluation, source, -length, length, notes)
	}
	note := func(kind, value string) string {
		return fmt.Sprintf(`{"note":{"kind":%q,"value":%s}}`, kind, value)
	}
	offspring := func(value string) string {
		return fmt.Sprintf(`{"kind":"offspring","value":%s}`, value)
	}
	attempt := func(n int, refused string) string {
		if refused != "" {
			refused = `,"refused":"` + refused + `"`
		}
		return fmt.Sprintf(`,{"kind":"attempt","value":{"operator":"P1","attempt":%d%s}}`, n,
			refused)
	}
	journal := strings.Join([]string{
		fmt.Sprintf(`{"header":{"format":%d,"task":"tsp-aco","method":"pace",`+
			`"models":{"":"offline"},"seed":1,"budget":4,"requests":50}}`, record.FormatVersion),
		evaluated(0, 1, offspring(`{"operator":"I1"}`), long+"a = b\n", 9),
		note("population", `{"members":[{"algorithm":1}]}`),
		note("admission",
			`{"eap":0,"name":"gap","origin":"E2","from":1,"evaluation":1,"source":"def `+
				`gap(): ..."}`),
		evaluated(1, 2, offspring(`{"operator":"P1","parents":[1],"focus":0}`)+
			attempt(1, "calls no EAP")+attempt(2, ""), long+"f(x)\n", 8),
		note("trial", `{"operator":"P1","eap":0,"name":"gap","parent":1,"child":2,"reward":1,`+
			`"alpha":2,"beta":1}`),
		note("population", `{"members":[{"algorithm":2,"calls":[0]},{"algorithm":1}]}`),
		evaluated(2, 3, offspring(`{"operator":"P2","parents":[2]}`), long+"a = c\n", 8.5),
		note("population", `{"members":[{"algorithm":2,"calls":[0]},{"algorithm":3}]}`),
		`{"step":{"number":3,"requests":[],"notes":[` +
			offspring(`{"operator":"P1","parents":[2],"lost":"contract"}`) + attempt(1, "x") +
			attempt(2, "x") + `]}}`,
		evaluated(4, 4, offspring(`{"operator":"P1","parents":[3]}`), long+"f(x)\n", 7),
		note("trial", `{"operator":"P1","eap":0,"name":"gap","parent":3,"child":4,"reward":1,`+
			`"alpha":3,"beta":1}`),
		note("population", `{"members":[{"algorithm":4,"calls":[0]},{"algorithm":2,"calls":[0]}]}`),
	}, "\n") + "\n"
	for name, text := range map[string]string{"journal.jsonl": journal, "timing.jsonl": timing} {
		must.Write(t, filepath.Join(dir, name), text)
	}
	s, err := results.Read(nil, dir)
	if err != nil || len(s.Runs) != 1 || len(s.Runs[0].Warnings) > 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	return s.Runs[0]
}

const timed = `{"step":0,"evaluate_ms":[1000]}
{"step":1,"ask_ms":[5],"evaluate_ms":[77]}
{"step":1,"ask_ms":[5],"evaluate_ms":[1500,500]}
{"step":2,"evaluate_ms":[4000]}
{"step":3,"ask_ms":[99000]}
{"step":4,"evaluate_ms":[8000]}
`

func TestProposalsOfOperators(t *testing.T) {
	g := &results.Group{Runs: []*results.Run{search(t, timed)}}
	want := []results.OperatorCourse{
		{Operator: "I1", Windows: []results.Window{{From: 0, To: 2, Replies: 1}, {From: 2, To: 4}}},
		{Operator: "P1", Windows: []results.Window{
			{From: 0, To: 2, Compared: 1, Improved: 1, Replies: 2, Refused: 1},
			{From: 2, To: 4, Compared: 1, Improved: 1, Replies: 3, Refused: 2},
		}},
		{Operator: "P2", Windows: []results.Window{
			{From: 0, To: 2}, {From: 2, To: 4, Compared: 1, Replies: 1},
		}},
	}
	golden.Same(t, "courses", want, g.OperatorCourses(2))
	if got := (&results.Group{Runs: []*results.Run{{}}}).OperatorCourses(2); got != nil {
		t.Errorf("a run without evaluations has %v", got)
	}
}

func TestStoriesOfEAPs(t *testing.T) {
	r := search(t, timed)
	stories := r.Stories()
	if len(stories) != 1 {
		t.Fatalf("%d stories", len(stories))
	}
	s := stories[0]
	wantCallers := []results.Member{
		{Evaluation: 2, Operator: "P1", Parents: []int{1}, Calls: []int{0}, Entered: 2, Value: 8},
		{Evaluation: 4, Operator: "P1", Parents: []int{3}, Calls: []int{0}, Entered: 4, Value: 7},
	}
	golden.Same(t, "callers", wantCallers, s.Callers)
	golden.Same(t, "source", &results.Member{
		Evaluation: 1, Operator: "I1", Entered: 1, Left: 3, Value: 9,
	}, s.Source)
	if !s.SourceLeft || s.After != 1 {
		t.Errorf("source left %v, %d callers after", s.SourceLeft, s.After)
	}
	want := []results.Belief{{At: 2, Alpha: 2, Beta: 1}, {At: 4, Alpha: 3, Beta: 1}}
	if diff := cmp.Diff(want, s.EAP.Beliefs); diff != "" || s.EAP.Beliefs[1].Mean() != 0.75 {
		t.Errorf("beliefs mismatch (-want +got):\n%s", diff)
	}
}

func TestDiversityOverTime(t *testing.T) {
	g := &results.Group{Runs: []*results.Run{search(t, timed)}}
	long := strings.Repeat("x = 1\n", 400)
	between := func(a, b string) float64 { return results.Distance(long+a, long+b) }
	want := []results.Point{}
	for i, d := range []float64{between("a = b\n", "f(x)\n"), between("f(x)\n", "a = c\n"), 0} {
		want = append(want, results.Point{X: float64(i + 2), Mean: d, Low: d, High: d})
	}
	got, n := g.Diversity()
	if diff := cmp.Diff(want, got); diff != "" || want[0].Mean == 0 {
		t.Errorf("diversity mismatch (-want +got):\n%s", diff)
	}
	if n != 1 {
		t.Errorf("%d runs with populations", n)
	}
}

// withCPU has the times of timed as CPU time, and ten times as much wall time.
var withCPU = regexp.MustCompile(`"evaluate_ms":\[([0-9,]+)\]`).ReplaceAllStringFunc(timed,
	func(field string) string {
		cpu := strings.Replace(field, "evaluate_ms", "cpu_ms", 1)
		return regexp.MustCompile(`[0-9]+`).ReplaceAllString(field, "${0}0") + "," + cpu
	})

func TestTimeOfARun(t *testing.T) {
	for _, c := range []struct {
		name, timing string
		want         float64 // NaN: unknown
	}{
		{"the last line of a step counts, asking does not", timed, 1 + 2 + 4 + 8},
		{"CPU time where every line has it", withCPU, 15},
		{"not every line has CPU time", strings.Replace(withCPU, "cpu_ms", "gpu_ms", 1), 150},
		{"a torn line", timed + `{"step":4,"eval`, 15},
		{"a line is missing", strings.Replace(timed, `"step":2`, `"step":9`, 1), math.NaN()},
		{"no file worth reading", "\n", math.NaN()},
	} {
		r := search(t, c.timing)
		seconds, known := r.Time()
		if known == math.IsNaN(c.want) || known && seconds != c.want {
			t.Errorf("%s: %g s, known %v; want %g", c.name, seconds, known, c.want)
		}
		if r.CPUTime() != (c.timing == withCPU) {
			t.Errorf("%s: CPU time: %v", c.name, r.CPUTime())
		}
		if !known || c.want != 15 {
			continue
		}
		var at []float64
		for _, p := range (&results.Group{Runs: []*results.Run{r}}).BestSoFar(results.ByTime, 1) {
			at = append(at, p.X)
		}
		golden.Same(t, c.name+": curve by time", []float64{1, 3, 15}, at)
	}
}

func TestEvaluationsNearTheTimeLimit(t *testing.T) {
	r := search(t, strings.Replace(timed, `[1500,500]`, `[1500,500],"limit_share":[0.79,0.8]`, 1)+
		`{"step":4,"evaluate_ms":[8000],"limit_share":[1.25],"limits":2}`+"\n")
	if r.Doubtful != 2 {
		t.Errorf("%d doubtful evaluations, want 2", r.Doubtful)
	}
	if r := search(t, timed); r.Doubtful != 0 {
		t.Errorf("a run without shares of the limit: %d doubtful evaluations", r.Doubtful)
	}
}

// TestAnswersThatServeLaterPrograms: HSEvo asks for a program with parameters, and then evaluates
// programs that it makes from the reply. A reply counts as refused only if the note on its search
// says so, and programs without a request do not count as replies.
func TestAnswersThatServeLaterPrograms(t *testing.T) {
	dir := t.TempDir()
	ask := func(step int) string {
		return fmt.Sprintf(`{"step":{"number":%d,"requests":[{"request":{"purpose":"algorithm/hs",`+
			`"user":[{"text":"q"}],"temperature":1,"draw":1},`+
			`"reply":{"text":"a","usage":{"prompt":1,"completion":1}}}]}}`, step)
	}
	journal := strings.Join([]string{
		fmt.Sprintf(`{"header":{"format":%d,"task":"tsp-aco","method":"hsevo",`+
			`"models":{"":"offline"},"seed":1,"budget":1,"requests":50}}`, record.FormatVersion),
		ask(0),
		`{"step":{"number":1,"requests":[],"evaluations":[{"evaluation":1,"source":"x",` +
			`"score":-9,"values":[9]}],` +
			`"notes":[{"kind":"offspring","value":{"operator":"memory"}}]}}`,
		`{"note":{"kind":"harmony","value":{"target":1,"result":1}}}`,
		ask(2),
		`{"note":{"kind":"harmony","value":{"target":1,"lost":"no ranges"}}}`,
		ask(3), // the budget ends before the note
	}, "\n") + "\n"
	must.Write(t, filepath.Join(dir, "journal.jsonl"), journal)
	v := results.Decoders{"hsevo": {Notes: bench.NotesOf(hsevo.New())}}
	s, err := results.Read(v, dir)
	if err != nil || len(s.Runs) != 1 || len(s.Runs[0].Warnings) > 0 {
		t.Fatalf("%+v, %v", s, err)
	}
	want := []results.Proposal{
		{Operator: "hs", Replies: 1},
		{Operator: "memory", At: 1},
		{Operator: "hs", At: 1, Replies: 1, Refused: 1},
		{Operator: "hs", At: 1, Replies: 1},
	}
	golden.Same(t, "proposals", want, s.Runs[0].Proposals)
	for _, o := range s.Runs[0].Operators {
		if o.Name == "hs" && (o.Steps != 3 || o.Discarded != 1) {
			t.Errorf("%+v", o)
		}
	}
	d, err := results.Open(v, dir)
	must.Do(t, err)
	if w := d.Why(); w.Before.Refused+w.After.Refused != 1 || !d.Steps[0].Consulted ||
		d.Steps[2].Refused != "no ranges" {
		t.Errorf("%+v, %+v, %+v", w, d.Steps[0], d.Steps[2])
	}
}
