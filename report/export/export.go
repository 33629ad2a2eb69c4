// Package export writes results as tidy tables: one row for each run, test, evaluation, request,
// trial, EAP and effect of a part, with the run's key in every row. A missing value, such as the
// score of a failed program, is an empty cell in CSV and null in Parquet and JSON. Start at Tables.
package export

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/record/results"
)

// A Key names the run that a row belongs to.
type Key struct {
	Run     string `parquet:"run"` // the run's directory
	Task    string `parquet:"task"`
	Method  string `parquet:"method"`
	Variant string `parquet:"variant"` // empty: the method itself
	Models  string `parquet:"models"`  // "none": a baseline
	Seed    uint64 `parquet:"seed"`
}

type Run struct {
	Key
	Finished       bool     `parquet:"finished"`
	Stopped        string   `parquet:"stopped"` // "budget", "requests", "method"; empty: unfinished
	Budget         int      `parquet:"budget"`
	Evaluations    int      `parquet:"evaluations"`
	Faults         int      `parquet:"faults"`
	Requests       int      `parquet:"requests"`
	PromptTokens   int      `parquet:"prompt_tokens"`
	OutputTokens   int      `parquet:"output_tokens"`
	USD            *float64 `parquet:"usd"`
	Seconds        *float64 `parquet:"evaluate_seconds"` // sum over all evaluations
	BestEvaluation *int     `parquet:"best_evaluation"`
	BestScore      *float64 `parquet:"best_score"`
	BestValue      *float64 `parquet:"best_value"`
	Fresh          *float64 `parquet:"fresh_value"` // re-evaluated, for a noisy task
	Python         string   `parquet:"python"`
	NumPy          string   `parquet:"numpy"`
	TimeScale      float64  `parquet:"time_scale"` // the factor on time limits, mostly 1
	Unit           string   `parquet:"unit"`       // of the values
}

// A Test is a row of tests: the best program on one split.
type Test struct {
	Key
	Split string   `parquet:"split"`
	Value *float64 `parquet:"value"`
	Fault *string  `parquet:"fault"`
}

type Evaluation struct {
	Key
	Evaluation  int      `parquet:"evaluation"`
	Step        int      `parquet:"step"`
	Operator    string   `parquet:"operator"`
	Parent      *int     `parquet:"parent"` // first parent
	Parent2     *int     `parquet:"parent2"`
	Depth       int      `parquet:"depth"` // length of the longest line of ancestors
	EAP         *int     `parquet:"eap"`   // the EAP in focus
	Score       *float64 `parquet:"score"`
	Value       *float64 `parquet:"value"`
	BestSoFar   *float64 `parquet:"best_so_far"`
	Improved    bool     `parquet:"improved"`
	Fault       *string  `parquet:"fault"`
	FaultDetail *string  `parquet:"fault_detail"`
	SameAs      *int     `parquet:"same_as"` // the first evaluation of the same source
	Tokens      int      `parquet:"tokens"`
	USD         *float64 `parquet:"usd"`
	Seconds     *float64 `parquet:"seconds"`
	Program     string   `parquet:"program"` // digest
	Idea        string   `parquet:"idea"`
	Source      string   `parquet:"source"`
}

type Request struct {
	Key
	Step         int      `parquet:"step"`
	Number       int      `parquet:"number"` // in its step, from 1
	Role         string   `parquet:"role"`
	Operator     string   `parquet:"operator"`
	Model        string   `parquet:"model"` // as the server names it
	PromptTokens int      `parquet:"prompt_tokens"`
	CachedTokens int      `parquet:"cached_tokens"`
	ImageTokens  int      `parquet:"image_tokens"`
	OutputTokens int      `parquet:"output_tokens"`
	Reasoning    int      `parquet:"reasoning_tokens"`
	Estimated    bool     `parquet:"estimated"`
	Finish       string   `parquet:"finish"`
	RefusedKind  *string  `parquet:"refused_kind"`
	Refused      *string  `parquet:"refused"`
	USD          *float64 `parquet:"usd"`
	Seconds      *float64 `parquet:"seconds"`
	Shared       bool     `parquet:"shared"` // sent and paid for by the base of a paired run
}

// A Trial is a row of the table trials: a program with an EAP as its focus.
type Trial struct {
	Key
	Evaluation int     `parquet:"evaluation"` // the child
	Parent     int     `parquet:"parent"`
	Operator   string  `parquet:"operator"`
	EAP        int     `parquet:"eap"`
	Name       string  `parquet:"name"`
	Reward     int     `parquet:"reward"`
	Alpha      float64 `parquet:"alpha"` // of the posterior after the trial
	Beta       float64 `parquet:"beta"`
}

type EAP struct {
	Key
	EAP          int     `parquet:"eap"`
	Name         string  `parquet:"name"`
	Origin       string  `parquet:"origin"`
	From         *int    `parquet:"from_evaluation"`
	Birth        int     `parquet:"birth"` // evaluations before its admission
	Exposures    int     `parquet:"exposures"`
	Trials       int     `parquet:"trials"`
	Improvements int     `parquet:"improvements"`
	Alpha        float64 `parquet:"alpha"`
	Beta         float64 `parquet:"beta"`
	Programs     int     `parquet:"programs"`
	InBest       bool    `parquet:"in_best"`
	Source       string  `parquet:"source"`
}

// An Effect is a row of effects: what a part of an explained program adds on a split.
type Effect struct {
	Key
	Split     string   `parquet:"split"`
	Part      int      `parquet:"part"` // from 1
	Line      int      `parquet:"line"`
	Kind      string   `parquet:"kind"`
	Function  string   `parquet:"function"`
	Text      string   `parquet:"text"`
	Instances int      `parquet:"instances"`
	Effect    *float64 `parquet:"effect"`
	Low       *float64 `parquet:"low"`
	High      *float64 `parquet:"high"`
	P         *float64 `parquet:"p"`
	Holm      *float64 `parquet:"p_holm"`
	Visible   *float64 `parquet:"visible"`
	Unchanged bool     `parquet:"unchanged"`
}

// kinds are the tables, each with a row that shows its columns.
var kinds = []struct {
	table string
	row   any
}{{"runs", Run{}}, {"tests", Test{}}, {"evaluations", Evaluation{}}, {"requests", Request{}},
	{"trials", Trial{}}, {"eaps", EAP{}}, {"effects", Effect{}}}

// rows are the rows of one run by table.
type rows map[string][]any

func (r rows) add(table string, row any) { r[table] = append(r[table], row) }

// of returns the rows of a run. name identifies the run, and unit is the unit of its task's values.
// e is nil for a run that was not explained.
func of(d *results.Detail, e *explain.Explained, name, unit string) rows {
	r := d.Run
	h := r.Header
	k := Key{
		name, h.Task, h.Method, h.Variant, results.Models(h.Models), h.Seed,
	}
	out := rows{}
	run := Run{
		Key: k, Finished: r.Finished(), Budget: h.Budget, Evaluations: r.Evaluations,
		Faults: r.Failed(), Requests: r.Asked,
		PromptTokens: r.Tokens().Prompt, OutputTokens: r.Tokens().Completion,
		Python: h.Python, NumPy: h.NumPy, TimeScale: h.Factor(), Unit: unit,
	}
	if usd, known := r.Cost(); known {
		run.USD = &usd
	}
	if r.Best != nil {
		run.BestEvaluation, run.BestScore, run.BestValue =
			&r.Best.Evaluation, &r.Best.Score, &r.Best.Value
	}
	if v, ok := r.Fresh(); ok {
		run.Fresh = &v
	}
	if r.Result != nil {
		run.Stopped = r.Result.Stopped
		for _, split := range slices.Sorted(maps.Keys(r.Result.Tests)) {
			o := r.Result.Tests[split]
			t := Test{Key: k, Split: split}
			if o.Fault != nil {
				t.Fault = some(string(o.Fault.Kind))
			} else {
				t.Value = &o.Mean
			}
			out.add("tests", t)
		}
	}
	var best *float64
	total, depth := 0.0, map[int]int{} // seconds of all evaluations; depths by evaluation
	for _, p := range d.Programs {
		if p.Best {
			best = p.Value
		}
		for _, parent := range p.Parents {
			depth[p.Evaluation] = max(depth[p.Evaluation], depth[parent]+1)
		}
		e := Evaluation{
			Key: k, Evaluation: p.Evaluation, Step: p.Step, Operator: p.Operator,
			Parent: nth(p.Parents, 0), Parent2: nth(p.Parents, 1),
			Depth: depth[p.Evaluation], EAP: p.Focus,
			Score: p.Score, Value: p.Value, BestSoFar: best, Improved: p.Best,
			SameAs: some(p.Twin), Tokens: p.Tokens, USD: p.USD, Seconds: some(p.Seconds),
			Program: p.Policy, Idea: p.Idea, Source: p.Source,
		}
		if p.Source != "" {
			e.Program = program.Program{Source: p.Source}.ID()
		}
		if p.Fault != nil {
			e.Fault, e.FaultDetail = some(string(p.Fault.Kind)), &p.Fault.Detail
		}
		total += p.Seconds
		out.add("evaluations", e)
	}
	run.Seconds = some(total)
	out.add("runs", run)
	for _, s := range d.Steps {
		refused := s.Refused
		for _, p := range s.Programs {
			if p.Evaluation < 1 && p.Fault != nil { // not charged, and in no other table
				refused = "the code is not valid Python: " + p.Fault.Detail
			}
		}
		for i, x := range s.Exchanges {
			if i == len(s.Exchanges)-1 {
				x.Refused = cmp.Or(x.Refused, refused)
			}
			out.add("requests", request(k, s.Number, i+1, x))
		}
	}
	sources := map[int]string{}
	for _, m := range d.Notes {
		switch n := m.Note.(type) {
		case note.Trial:
			out.add("trials", Trial{
				k, n.Child, n.Parent, n.Operator, n.EAP, n.Name,
				n.Reward, n.Alpha, n.Beta,
			})
		case note.Admission:
			sources[n.EAP] = n.Source
		}
	}
	for _, e := range r.EAPs {
		out.add("eaps", EAP{
			k, e.ID, e.Name, e.Origin, some(e.From), e.Birth, e.Exposures,
			e.Trials, e.Improvements, e.Alpha, e.Beta, e.Programs,
			e.InBest, sources[e.ID],
		})
	}
	if e != nil {
		out["effects"] = effects(k, e)
	}
	return out
}

// effects returns the measured effects of parts. The parts without which the program does not run
// have a row without an effect, on the first split.
func effects(k Key, e *explain.Explained) (out []any) {
	for at, split := range e.Splits {
		for i, x := range e.Effects[split] {
			if p := e.Plan.Parts.Parts[i]; at == 0 || !math.IsNaN(x.Mean) {
				out = append(out, Effect{
					k, split, i + 1, p.Line, p.Kind, p.Function, p.Text, x.N,
					explain.Number(x.Mean), explain.Number(x.Low), explain.Number(x.High),
					explain.Number(x.P), explain.Number(x.Holm), explain.Number(x.Visible), x.Same,
				})
			}
		}
	}
	return out
}

func request(k Key, step, number int, x results.Exchange) Request {
	u := x.Reply.Usage
	return Request{
		Key: k, Step: step, Number: number,
		Role: x.Purpose.Role(), Operator: x.Purpose.Operator(), Model: x.Reply.Model,
		PromptTokens: u.Prompt, CachedTokens: u.Cached, ImageTokens: u.Images,
		OutputTokens: u.Completion, Reasoning: u.Reasoning,
		Estimated: u.Estimated, Finish: x.Reply.Finish,
		RefusedKind: some(string(program.KindOf(x.Refused))), Refused: some(x.Refused),
		USD: x.USD, Seconds: some(x.Seconds), Shared: x.Shared,
	}
}

// some returns a pointer to a value, or nil for zero, which means that the value is missing.
func some[T comparable](v T) *T {
	var zero T
	if v == zero {
		return nil
	}
	return &v
}

func nth(ns []int, i int) *int {
	if i >= len(ns) {
		return nil
	}
	return &ns[i]
}
