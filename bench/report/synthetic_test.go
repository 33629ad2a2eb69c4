package report

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/program"
)

// A synthetic is a run that never happened, written as the engine writes one.
type synthetic struct {
	task, method, variant string
	models                map[string]string
	seed                  uint64
	budget                int
	evaluations           int     // made; below the budget the run is unfinished unless stopped says why it ended
	stopped               string  // "budget" when empty
	start, floor          float64 // values fall or rise from start towards floor
	tests                 map[string]float64
	testFault             string // split whose test fails
	rescored              bool
	unsafe, estimated     bool
	change                func(*bench.Header)
	pad                   int // bytes of prompt text
}

// dir is where the run lies below a results directory.
func (s synthetic) dir() string {
	method := s.method
	if s.variant != "" {
		method += "@" + s.variant
	}
	model := "none"
	if s.models != nil {
		model = fileName(modelsKey(s.models))
	}
	return filepath.Join(s.task, method, model, fmt.Sprint(s.seed))
}

func (s synthetic) header() bench.Header {
	h := bench.Header{
		Format: bench.FormatVersion, Task: s.task, Version: "1", Data: map[string]string{"train": "0123456789abcdef"},
		Method: s.method, Variant: s.variant, Config: json.RawMessage(`{"window":4}`), Models: s.models, Seed: s.seed,
		Budget: s.budget, Requests: 5 * s.budget, Python: "3.11.7", NumPy: "2.3.5", Unsafe: s.unsafe,
	}
	if s.change != nil {
		s.change(&h)
	}
	return h
}

const syntheticSource = `import numpy as np


def density(node: int, unvisited: np.ndarray, d: np.ndarray) -> float:
    """Mean distance from a node to its five nearest unvisited neighbours."""
    near = np.sort(d[node, unvisited])[:5]
    return float(near.mean())


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Choose the nearest node, corrected by how dense its surroundings are."""
    best, best_score = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes[:8]:
        score = distance_matrix[current_node, node] - 0.25 * density(node, unvisited_nodes, distance_matrix)
        if score < best_score:
            best, best_score = node, score
    return best
`

// write makes the run's directory below root.
func (s synthetic) write(t testing.TB, root string) string {
	t.Helper()
	dir := filepath.Join(root, s.dir())
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(s.seed, uint64(len(s.method)*100+len(s.task))))
	var out []byte
	line := func(v any) {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		out = append(append(out, data...), '\n')
	}
	h := s.header()
	line(struct {
		Header bench.Header `json:"header"`
	}{h})
	res := bench.Result{Header: h, Stopped: s.stopped, Faults: map[bench.FaultKind]int{}, Usage: map[llm.Purpose]bench.Tally{}}
	if res.Stopped == "" {
		res.Stopped = "budget"
	}
	ask := func(p llm.Purpose, n int) bench.RequestRecord {
		u := llm.Usage{Prompt: 700 + n%50, Completion: 300 + r.IntN(200), Estimated: s.estimated}
		old := res.Usage[p]
		res.Usage[p] = bench.Tally{Requests: old.Requests + 1, Usage: old.Usage.Add(u)}
		res.Asked++
		prompt := "Implement \"select_next_node\".\n" + strings.Repeat(syntheticSource, s.pad/len(syntheticSource))
		return bench.RequestRecord{
			Request: llm.Request{Purpose: p, User: llm.Text(prompt), Temperature: 1, Draw: uint64(n)},
			Reply:   llm.Reply{Text: "{A thought.}\n" + strings.Repeat(syntheticSource, s.pad/len(syntheticSource)/4), Usage: u},
		}
	}
	note := func(kind string, v any) bench.NoteRecord {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return bench.NoteRecord{Kind: kind, Value: data}
	}
	pace := s.method == "pace"
	ops := []string{"e1", "e2", "m1", "m2"}
	if pace {
		ops = []string{"P1", "P2", "P3", "P4"}
	}
	values := map[int]float64{}
	for step := 0; res.Evaluations < s.evaluations; step++ {
		op := "i1"
		var parents []int
		if step >= 20 {
			op = ops[step%4]
			for p := res.Evaluations; p > 0 && parents == nil; p-- {
				if _, ok := values[p]; ok && r.IntN(3) == 0 {
					parents = []int{p}
				}
			}
		}
		rec := bench.StepRecord{Number: step, Requests: []bench.RequestRecord{ask(llm.Purpose("algorithm/"+op), step)}}
		plan := map[string]any{"operator": op, "parents": parents}
		focus := -1
		if pace && step >= 20 && (op == "P1" || op == "P2") {
			focus = step % 3
			plan["focus"] = focus
		}
		rec.Notes = append(rec.Notes, note("offspring", plan))
		if r.IntN(10) == 0 { // an unparsable reply: asked again, then dropped
			rec.Requests = append(rec.Requests, ask(llm.Purpose("algorithm/"+op), step))
			line(bench.Record{Step: &rec})
			continue
		}
		res.Evaluations++
		e := bench.EvaluationRecord{Evaluation: res.Evaluations, Source: fmt.Sprintf("# %d\n%s", step, syntheticSource)}
		if r.IntN(6) == 0 {
			e.Fault = bench.Faultf(bench.Raised, "IndexError: index 50 is out of bounds")
			res.Faults[bench.Raised]++
		} else {
			progress := float64(res.Evaluations) / float64(s.budget)
			v := s.floor + (s.start-s.floor)*(1/(1+30*progress)+0.2*r.Float64())
			e.Values = []float64{v - 0.1, v + 0.1}
			v = bench.Mean(e.Values)
			values[res.Evaluations] = v
			e.Score = v
			if s.floor < s.start {
				e.Score = -v
			}
			if res.Best == nil || e.Score > res.Best.Score {
				res.Best = &bench.BestResult{
					Score: e.Score, Value: v, Step: step, Evaluation: res.Evaluations, Program: program.Program{Source: e.Source}.ID(),
				}
			}
		}
		rec.Evaluations = append(rec.Evaluations, e)
		line(bench.Record{Step: &rec})
		if focus >= 0 {
			n := note("trial", map[string]any{"operator": op, "eap": focus, "name": "density", "parent": 1, "child": res.Evaluations, "reward": r.IntN(2), "alpha": 1 + step/8, "beta": 3 + step/9})
			line(bench.Record{Note: &n})
		}
		if pace && step >= 20 {
			n := note("population", map[string]any{"members": []any{map[string]any{"algorithm": res.Evaluations, "calls": []int{step % 3}}}})
			line(bench.Record{Note: &n})
		}
		if pace && (step == 19 || step%20 == 0 && step > 20) {
			op, rec := "E3", bench.StepRecord{Number: step + 1_000_000}
			if step == 19 {
				op = "E1"
			}
			rec.Requests = append(rec.Requests, ask(llm.Purpose("eap/"+op), step))
			line(bench.Record{Step: &rec})
			if step < 80 {
				for i, name := range []string{"density", "two_step_lookahead", "return_cost"} {
					n := note("admission", map[string]any{"eap": i, "name": name, "origin": "E1", "evaluation": res.Evaluations, "source": "def f(): ..."})
					line(bench.Record{Note: &n})
				}
			}
		}
	}
	save := func(name string, data []byte) {
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	save("journal.jsonl", out)
	save("run.json", []byte("{}"))
	if res.Best != nil {
		save("best.py", []byte(syntheticSource))
	}
	if s.evaluations < s.budget && s.stopped == "" {
		return dir // unfinished
	}
	res.Tests = map[string]*bench.SplitOutcome{}
	for split, v := range s.tests {
		v += 0.01 * float64(s.seed)
		res.Tests[split] = &bench.SplitOutcome{Mean: v, Values: []float64{v}}
	}
	if s.testFault != "" {
		res.Tests[s.testFault] = &bench.SplitOutcome{Fault: bench.Faultf(bench.Timeout, "2 s")}
	}
	if s.rescored && res.Best != nil {
		res.Rescored = &bench.RescoreResult{Replicates: 8, Noise: 0.05, Programs: []bench.RescoredProgram{
			{Evaluation: res.Best.Evaluation, Program: res.Best.Program, Searched: res.Best.Value, Fresh: res.Best.Value + 0.09},
		}}
	}
	data, err := json.MarshalIndent(res, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	save("result.json", data)
	return dir
}

// baseline writes the directory of a row that does not search: a result without a journal.
func baseline(t testing.TB, root, task, method string, train float64, tests map[string]float64) string {
	t.Helper()
	dir := filepath.Join(root, task, method, "none", "1")
	res := bench.Result{
		Header: bench.Header{Format: bench.FormatVersion, Task: task, Version: "1", Method: method, Seed: 1},
		Best:   &bench.BestResult{Score: -train, Value: train},
		Tests:  map[string]*bench.SplitOutcome{},
	}
	for split, v := range tests {
		res.Tests[split] = &bench.SplitOutcome{Mean: v}
	}
	data, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "result.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func tspTests(n50, n200, n500, n1000 float64) map[string]float64 {
	return map[string]float64{"test50": n50, "test200": n200, "test500": n500, "test1000": n1000}
}

var (
	offline  = map[string]string{"": "offline"}
	mini     = map[string]string{"": "openai:gpt-4o-mini"}
	deepseek = map[string]string{"": "openai:gpt-4o-mini", "eap": "openai:deepseek-v4-flash"}
)

// study writes a results directory with every kind of run that the paper's tables have.
func study(t testing.TB, root string) {
	t.Helper()
	for seed := uint64(1); seed <= 3; seed++ {
		for i, method := range []string{"randsample", "eoh", "pace"} {
			synthetic{task: "tsp-construct", method: method, models: offline, seed: seed, budget: 100, evaluations: 100, start: 12, floor: 6.4 - 0.15*float64(i),
				tests: tspTests(6.5-0.1*float64(i), 12.5-0.1*float64(i), 19.5, 27)}.write(t, root)
		}
		for i, method := range []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"} {
			run := synthetic{task: "tsp-aco", method: method, models: mini, seed: seed, budget: 100, evaluations: 100, start: 7, floor: 5.9 - 0.02*float64(i),
				tests: tspTests(5.8, 12.1-0.1*float64(i), 20, 30), rescored: true}
			switch {
			case method == "reevo" && seed == 3:
				run.evaluations = 60 // unfinished
			case method == "hsevo":
				run.testFault, run.estimated = "test1000", true
			case method == "mcts-ahd" && seed == 2:
				run.evaluations, run.stopped = 75, "requests"
			}
			run.write(t, root)
		}
		for _, method := range []string{"eoh", "mles", "pace"} {
			synthetic{task: "car-racing", method: method, models: mini, seed: seed, budget: 100, evaluations: 100, start: 5, floor: 97, tests: map[string]float64{"test": 84.2}, unsafe: method == "mles"}.write(t, root)
			synthetic{task: "bipedal-walker", method: method, models: mini, seed: seed, budget: 100, evaluations: 100, start: -120, floor: 60, tests: map[string]float64{"test": -2.61}}.write(t, root)
		}
		synthetic{task: "car-racing", method: "pace", models: deepseek, seed: seed, budget: 100, evaluations: 100, start: 5, floor: 99, tests: map[string]float64{"test": 90}}.write(t, root)
		for _, v := range []string{"ts=false", "operators=P1,P2,P4", "k=5"} {
			synthetic{task: "tsp-aco", method: "pace", variant: v, models: mini, seed: seed, budget: 100, evaluations: 100, start: 7, floor: 5.85, rescored: true}.write(t, root)
			synthetic{task: "car-racing", method: "pace", variant: v, models: mini, seed: seed, budget: 100, evaluations: 100, start: 5, floor: 90}.write(t, root)
		}
	}
	baseline(t, root, "tsp-construct", "greedy", 6.824, tspTests(6.938473934, 13.361906407, 20.793768050, 28.917030583))
	baseline(t, root, "tsp-aco", "aco", 6.6, tspTests(6.664, 15.479, 26.926, 41.111))
}
