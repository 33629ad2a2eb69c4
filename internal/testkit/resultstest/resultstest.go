// Package resultstest writes results directories of invented runs, for tests of the packages that
// read and render results. Start at Run.
package resultstest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/record/results"
)

// A Run is an invented run, in the engine's format.
type Run struct {
	Task, Method, Variant string
	Models                map[string]string
	Seed                  uint64
	Budget                int
	Evaluations           int     // below Budget: the run is unfinished, unless Stopped is set
	Stopped               string  // "budget" when empty
	Start, Floor          float64 // values fall or rise from Start towards Floor
	Tests                 map[string]float64
	TestFault             string // split whose test fails
	Rescored              bool
	// Chosen is the validation value of a program that validation prefers to the best program. The
	// test values of the chosen program are 0.05 lower than those of the best program, and its
	// validation value is 0.5 lower. 0: no validation.
	Chosen            float64
	Unsafe, Estimated bool
	Prices            llm.Prices
	Change            func(*record.Header)
	Edit              func(*record.Step) // called for every proposal before it is written
	Pad               int                // about this many bytes more in each prompt
}

// unsafe matches characters that a directory's name must not contain.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9-]+`)

// dir is the path of the run below a results directory.
func (s Run) dir() string {
	method := s.Method
	if s.Variant != "" {
		method += "@" + s.Variant
	}
	model := "none"
	if s.Models != nil {
		model = unsafe.ReplaceAllString(results.Models(s.Models), "-")
	}
	return filepath.Join(s.Task, method, model, fmt.Sprint(s.Seed))
}

func (s Run) header() record.Header {
	h := record.Header{
		Format: record.FormatVersion, Task: s.Task, Version: "1",
		Data:   map[string]string{"train": "0123456789abcdef"},
		Method: s.Method, Variant: s.Variant, Config: json.RawMessage(`{"window":4}`),
		Models: s.Models, Seed: s.Seed,
		Budget: s.Budget, Requests: 5 * s.Budget, Python: "3.11.7", NumPy: "2.3.5",
		Unsafe: s.Unsafe,
	}
	if s.Method == "mles" { // the method's budget counts requests
		h.Requests = s.Budget
	}
	if s.Change != nil {
		s.Change(&h)
	}
	return h
}

// Source is the best.py of every run. In journals, a comment precedes it.
const Source = `import numpy as np


def density(node: int, unvisited: np.ndarray, d: np.ndarray) -> float:
    """Mean distance from a node to its five nearest unvisited neighbours."""
    near = np.sort(d[node, unvisited])[:5]
    return float(near.mean())


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Choose the nearest node, corrected by how dense its surroundings are."""
    best, best_score = unvisited_nodes[0], float("inf")
    for node in unvisited_nodes[:8]:
        score = distance_matrix[current_node, node] - 0.25 * ` +
	`density(node, unvisited_nodes, distance_matrix)
        if score < best_score:
            best, best_score = node, score
    return best
`

// Write makes the run's directory below root.
func (s Run) Write(t testing.TB, root string) string {
	t.Helper()
	dir := filepath.Join(root, s.dir())
	r := rand.New(rand.NewPCG(s.Seed, uint64(len(s.Method)*100+len(s.Task))))
	var out, timing []byte
	line := func(v any) { out = append(append(out, encode(t, v)...), '\n') }
	h := s.header()
	line(struct {
		Header record.Header `json:"header"`
	}{h})
	res := record.Result{Header: h, Stopped: s.Stopped, Totals: record.Totals{
		Faults: map[record.FaultKind]int{}, Usage: map[llm.Purpose]record.Tally{},
	}}
	if res.Stopped == "" {
		res.Stopped = "budget"
	}
	ask := func(p llm.Purpose, n int) record.Request {
		u := llm.Usage{Prompt: 700 + n%50, Completion: 300 + r.IntN(200), Estimated: s.Estimated}
		if s.Method == "mles" { // the method shows pictures
			u.Images = 400
		}
		old := res.Usage[p]
		res.Usage[p] = record.Tally{Requests: old.Requests + 1, Usage: old.Usage.Add(u)}
		res.Asked++
		prompt := "Implement \"select_next_node\".\n" + strings.Repeat(Source, s.Pad/len(Source))
		return record.Request{
			Request: llm.Request{Purpose: p, User: llm.Text(prompt), Temperature: 1,
				Draw: uint64(n)},
			Reply: llm.Reply{
				Text: "{A thought.}\n" + strings.Repeat(Source, s.Pad/len(Source)/4), Usage: u,
			},
		}
	}
	remark := func(n note.Note) *record.Note {
		return &record.Note{Kind: n.Kind(), Value: encode(t, n)}
	}
	edit := s.Edit
	if edit == nil {
		edit = func(*record.Step) {}
	}
	pace := s.Method == "pace"
	ops := []string{"e1", "e2", "m1", "m2"}
	if pace {
		ops = []string{"P1", "P2", "P3", "P4"}
	}
	values := map[int]float64{}
	for step := 0; res.Evaluations < s.Evaluations; step++ {
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
		rec := record.Step{Number: step,
			Requests: []record.Request{ask(llm.Purpose("algorithm/"+op), step)}}
		plan := note.Offspring{Operator: op, Parents: parents}
		focus := -1
		if pace && step >= 20 && (op == "P1" || op == "P2") {
			focus = step % 3
			plan.Focus = &focus
		}
		rec.Notes = append(rec.Notes, *remark(plan))
		if r.IntN(10) == 0 { // an unparsable reply: the method asks again, then gives up
			rec.Requests = append(rec.Requests, ask(llm.Purpose("algorithm/"+op), step))
			edit(&rec)
			line(record.Line{Step: &rec})
			continue
		}
		res.Evaluations++
		e := record.Evaluation{Evaluation: res.Evaluations,
			Source: fmt.Sprintf("# %d\n%s", step, Source)}
		if r.IntN(6) == 0 {
			e.Fault = record.Faultf(record.Raised, "IndexError: index 50 is out of bounds")
			res.Faults[record.Raised]++
		} else {
			progress := float64(res.Evaluations) / float64(s.Budget)
			v := s.Floor + (s.Start-s.Floor)*(1/(1+30*progress)+0.2*r.Float64())
			e.Values = []float64{v - 0.1, v + 0.1}
			v = record.Mean(e.Values)
			values[res.Evaluations] = v
			e.Score = v
			if s.Floor < s.Start {
				e.Score = -v
			}
			if res.Best == nil || e.Score > res.Best.Score {
				res.Best = &record.BestResult{
					Score: e.Score, Value: v, Step: step, Evaluation: res.Evaluations,
					Program: program.Program{Source: e.Source}.ID(),
				}
			}
		}
		rec.Evaluations = append(rec.Evaluations, e)
		timing = fmt.Appendf(timing, "{\"step\":%d,\"evaluate_ms\":[%d]}\n", step, 100+10*step)
		edit(&rec)
		line(record.Line{Step: &rec})
		if focus >= 0 {
			line(record.Line{Note: remark(note.Trial{
				Operator: op, EAP: focus, Name: "density", Parent: 1, Child: res.Evaluations,
				Reward: r.IntN(2),
				Alpha:  float64(1 + step/8), Beta: float64(3 + step/9),
			})})
		}
		if pace && step >= 20 {
			line(record.Line{Note: remark(note.Callers{
				Members: []note.Caller{{Algorithm: res.Evaluations, Calls: []int{step % 3}}},
			})})
		}
		if pace && (step == 19 || step%20 == 0 && step > 20) {
			op, rec := "E3", record.Step{Number: step + 1_000_000}
			if step == 19 {
				op = "E1"
			}
			rec.Requests = append(rec.Requests, ask(llm.Purpose("eap/"+op), step))
			line(record.Line{Step: &rec})
			if step < 80 {
				for i, name := range []string{"density", "two_step_lookahead", "return_cost"} {
					line(record.Line{Note: remark(note.Admission{
						EAP: i, Name: name, Origin: "E1", Evaluation: res.Evaluations,
						Source: "def f(): ...",
					})})
				}
			}
		}
	}
	save(t, dir, "journal.jsonl", out)
	save(t, dir, "timing.jsonl", timing)
	save(t, dir, "run.json", encode(t, map[string]any{"prices": s.Prices}))
	if res.Best != nil {
		save(t, dir, "best.py", []byte(Source))
	}
	if s.Evaluations < s.Budget && s.Stopped == "" {
		return dir // unfinished
	}
	res.Tests = map[string]*record.SplitOutcome{}
	for split, v := range s.Tests {
		v += 0.01 * float64(s.Seed)
		res.Tests[split] = &record.SplitOutcome{Mean: v, Values: []float64{v}}
	}
	if s.TestFault != "" {
		res.Tests[s.TestFault] = &record.SplitOutcome{Fault: record.Faultf(record.Timeout, "2 s")}
	}
	if s.Rescored && res.Best != nil {
		res.Rescored = &record.RescoreResult{Replicates: 8, Noise: 0.05,
			Programs: []record.RescoredProgram{
				{Evaluation: res.Best.Evaluation, Program: res.Best.Program,
					Searched: res.Best.Value,
					Fresh:    res.Best.Value + 0.09},
			}}
	}
	if s.Chosen != 0 && res.Best != nil {
		val := func(v float64) *record.SplitOutcome {
			return &record.SplitOutcome{Mean: v, Values: []float64{v}}
		}
		v := s.Chosen + 0.01*float64(s.Seed)
		res.Validation = &record.Validation{
			Chosen: 1, Tests: map[string]*record.SplitOutcome{},
			Programs: []record.ValidatedProgram{
				{Evaluation: res.Best.Evaluation, Program: res.Best.Program,
					Train: res.Best.Value, Val: val(v + 0.5)},
				{Evaluation: 1, Program: "another", Train: res.Best.Value + 0.2,
					Val: val(v), Both: v},
			},
		}
		for split, o := range res.Tests {
			if o.Fault == nil {
				res.Validation.Tests[split] = val(o.Mean - 0.05)
			}
		}
	}
	must.Do(t, record.WriteResult(dir, &res))
	return dir
}

func encode(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	must.Do(t, err)
	return data
}

func save(t testing.TB, dir, name string, data []byte) {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Write(t, path, data)
}

// Policy writes the run of a trained row: four barriers of 25 resets on two training seeds, with
// best + seed as the best value.
func Policy(t testing.TB, root, task string, seed uint64, best float64,
	tests map[string]float64) string {
	t.Helper()
	dir := filepath.Join(root, task, "ppo", fmt.Sprint(seed))
	h := Run{Task: task, Method: "ppo", Models: map[string]string{"": "none"}, Seed: seed}.header()
	h.Config, h.Requests = json.RawMessage(`{"gamma":0.99}`), 0
	h.Family, h.Unit, h.Budget = record.Trained, "resets", 100
	out := append(encode(t, map[string]any{"header": h}), '\n')
	policy := []byte("a policy of " + task)
	sum := sha256.Sum256(policy)
	digest := hex.EncodeToString(sum[:])
	for i, share := range []float64{0.2, 0.6, 1, 0.9} {
		n := 25 * (i + 1)
		v := share * (best + float64(seed))
		used := note.Training{
			Resets: []int{n - n/2, n / 2}, Steps: 400 * n, Updates: 10 * n, CutEpisodes: i,
			CutSteps:           99 * i,
			EvaluationEpisodes: 2 * (i + 1),
		}
		out = append(out, encode(t, record.Line{Step: &record.Step{
			Number: i,
			Evaluations: []record.Evaluation{{
				Evaluation: n, Policy: digest,
				Outcome: record.Outcome{Score: v, Values: []float64{v - 1, v + 1}},
			}},
			Notes: []record.Note{{Kind: used.Kind(), Value: encode(t, used)}},
		}})...)
		out = append(out, '\n')
	}
	save(t, dir, "journal.jsonl", out)
	save(t, dir, "run.json", encode(t, map[string]any{"header": h}))
	save(t, dir, "blobs/"+digest, policy)
	l, err := record.LoadJournal(dir)
	must.Do(t, err)
	r := l.Summarize()
	r.Tests = map[string]*record.SplitOutcome{}
	for split, v := range tests {
		r.Tests[split] = &record.SplitOutcome{Mean: v, Values: []float64{v}}
	}
	must.Do(t, record.WriteResult(dir, r))
	return dir
}

// Baseline writes the directory of a baseline that does not search: a result without a journal.
func Baseline(t testing.TB, root, task, method string, train float64,
	tests map[string]float64) string {
	t.Helper()
	dir := filepath.Join(root, task, method, "none", "1")
	res := record.Result{
		Header: record.Header{Format: record.FormatVersion, Task: task, Version: "1",
			Method: method, Seed: 1},
		Totals: record.Totals{Best: &record.BestResult{Score: -train, Value: train}},
		Tests:  map[string]*record.SplitOutcome{},
	}
	for split, v := range tests {
		res.Tests[split] = &record.SplitOutcome{Mean: v}
	}
	must.Do(t, os.MkdirAll(dir, 0o755))
	must.Do(t, record.WriteResult(dir, &res))
	return dir
}

// TSPTests are values on the four test splits of the TSP tasks.
func TSPTests(n50, n200, n500, n1000 float64) map[string]float64 {
	return map[string]float64{"test50": n50, "test200": n200, "test500": n500, "test1000": n1000}
}

// Models of runs, by role.
var (
	Offline  = map[string]string{"": "offline"}
	Mini     = map[string]string{"": "openai:gpt-4o-mini"}
	Deepseek = map[string]string{"": "openai:gpt-4o-mini", "eap": "openai:deepseek-v4-flash"}
)

// Study writes a results directory with every kind of run that the paper's tables contain.
func Study(t testing.TB, root string) {
	t.Helper()
	for seed := uint64(1); seed <= 3; seed++ {
		for i, method := range []string{"randsample", "eoh", "pace"} {
			Run{Task: "tsp-construct", Method: method, Models: Offline, Seed: seed, Budget: 100,
				Evaluations: 100, Start: 12, Floor: 6.4 - 0.15*float64(i),
				Tests: TSPTests(6.5-0.1*float64(i), 12.5-0.1*float64(i), 19.5, 27)}.Write(t, root)
		}
		for i, method := range []string{"eoh", "reevo", "mcts-ahd", "hsevo", "pace"} {
			run := Run{Task: "tsp-aco", Method: method, Models: Mini, Seed: seed, Budget: 100,
				Evaluations: 100, Start: 7, Floor: 5.9 - 0.02*float64(i),
				Tests: TSPTests(5.8, 12.1-0.1*float64(i), 20, 30), Rescored: true}
			switch {
			case method == "reevo" && seed == 3:
				run.Evaluations = 60 // unfinished
			case method == "hsevo":
				run.TestFault, run.Estimated = "test1000", true
			case method == "mcts-ahd" && seed == 2:
				run.Evaluations, run.Stopped = 75, "requests"
			}
			run.Write(t, root)
		}
		for _, method := range []string{"eoh", "mles", "pace"} {
			Run{Task: "racing-car", Method: method, Models: Mini, Seed: seed, Budget: 100,
				Evaluations: 100, Start: 5, Floor: 97, Tests: map[string]float64{
					"test": 84.2,
				}, Unsafe: method == "mles"}.Write(t, root)
			Run{Task: "bipedal-walker", Method: method, Models: Mini, Seed: seed, Budget: 100,
				Evaluations: 100, Start: -120, Floor: 60, Tests: map[string]float64{
					"test": -2.61,
				}}.Write(t, root)
		}
		Policy(t, root, "racing-car", seed, 80, map[string]float64{"test": 81.5})
		Policy(t, root, "bipedal-walker", seed, 200, map[string]float64{"test": 190.25})
		Run{
			Task: "racing-car", Method: "pace", Models: Deepseek, Seed: seed, Budget: 100,
			Evaluations: 100, Start: 5, Floor: 99, Tests: map[string]float64{"test": 90},
		}.Write(t, root)
		for _, v := range []string{"ts=false", "operators=P1,P2,P4", "k=5"} {
			Run{Task: "tsp-aco", Method: "pace", Variant: v, Models: Mini, Seed: seed, Budget: 100,
				Evaluations: 100, Start: 7, Floor: 5.85, Rescored: true}.Write(t, root)
			Run{Task: "racing-car", Method: "pace", Variant: v, Models: Mini, Seed: seed,
				Budget: 100, Evaluations: 100, Start: 5, Floor: 90}.Write(t, root)
		}
	}
	Baseline(t, root, "tsp-construct", "greedy", 6.824,
		TSPTests(6.938473934, 13.361906407, 20.793768050, 28.917030583))
	Baseline(t, root, "tsp-aco", "aco", 6.6, TSPTests(6.664, 15.479, 26.926, 41.111))
}
