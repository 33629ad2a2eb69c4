// Package export writes results as tidy tables: one row for each run, test, evaluation, request,
// trial and EAP, with the run's key in every row. What is missing, such as the score of a program
// that failed, is an empty cell in CSV and null in Parquet. Start at Tables.
package export

import (
	"cmp"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
)

// A Key names the run that a row belongs to.
type Key struct {
	Run     string `parquet:"run"` // its directory
	Task    string `parquet:"task"`
	Method  string `parquet:"method"`
	Variant string `parquet:"variant"` // empty: the method as it is
	Models  string `parquet:"models"`  // "none": a baseline
	Seed    uint64 `parquet:"seed"`
}

// A Run is a row of runs.
type Run struct {
	Key
	Finished       bool     `parquet:"finished"`
	Stopped        string   `parquet:"stopped"` // budget, requests, method; empty while unfinished
	Budget         int64    `parquet:"budget"`
	Evaluations    int64    `parquet:"evaluations"`
	Faults         int64    `parquet:"faults"`
	Requests       int64    `parquet:"requests"`
	PromptTokens   int64    `parquet:"prompt_tokens"`
	OutputTokens   int64    `parquet:"output_tokens"`
	USD            *float64 `parquet:"usd"`
	Seconds        *float64 `parquet:"evaluate_seconds"` // of all evaluations
	BestEvaluation *int64   `parquet:"best_evaluation"`
	BestScore      *float64 `parquet:"best_score"`
	BestValue      *float64 `parquet:"best_value"`
	Fresh          *float64 `parquet:"fresh_value"` // re-evaluated, for a stochastic task
	Python         string   `parquet:"python"`
	NumPy          string   `parquet:"numpy"`
	TimeScale      float64  `parquet:"time_scale"` // the factor on limits of time, mostly 1
}

// A Test is a row of tests: the best program on one split.
type Test struct {
	Key
	Split string   `parquet:"split"`
	Value *float64 `parquet:"value"`
	Fault *string  `parquet:"fault"`
}

// An Evaluation is a row of evaluations.
type Evaluation struct {
	Key
	Evaluation  int64    `parquet:"evaluation"`
	Step        int64    `parquet:"step"`
	Operator    string   `parquet:"operator"`
	Parent      *int64   `parquet:"parent"` // the first one
	Parent2     *int64   `parquet:"parent2"`
	EAP         *int64   `parquet:"eap"` // handed on
	Score       *float64 `parquet:"score"`
	Value       *float64 `parquet:"value"`
	BestSoFar   *float64 `parquet:"best_so_far"`
	Improved    bool     `parquet:"improved"`
	Fault       *string  `parquet:"fault"`
	FaultDetail *string  `parquet:"fault_detail"`
	SameAs      *int64   `parquet:"same_as"` // the first evaluation of the same source
	Tokens      int64    `parquet:"tokens"`
	USD         *float64 `parquet:"usd"`
	Seconds     *float64 `parquet:"seconds"`
	Program     string   `parquet:"program"` // digest
	Idea        string   `parquet:"idea"`
	Source      string   `parquet:"source"`
}

// A Request is a row of requests.
type Request struct {
	Key
	Step         int64    `parquet:"step"`
	Number       int64    `parquet:"number"` // in its step, from 1
	Role         string   `parquet:"role"`
	Operator     string   `parquet:"operator"`
	Model        string   `parquet:"model"` // as the server names it
	PromptTokens int64    `parquet:"prompt_tokens"`
	CachedTokens int64    `parquet:"cached_tokens"`
	ImageTokens  int64    `parquet:"image_tokens"`
	OutputTokens int64    `parquet:"output_tokens"`
	Reasoning    int64    `parquet:"reasoning_tokens"`
	Estimated    bool     `parquet:"estimated"`
	Finish       string   `parquet:"finish"`
	Refused      *string  `parquet:"refused"`
	USD          *float64 `parquet:"usd"`
	Seconds      *float64 `parquet:"seconds"`
	Shared       bool     `parquet:"shared"` // asked and paid by the base of a paired run
}

// A Trial is a row of trials: PACE handed an EAP on.
type Trial struct {
	Key
	Evaluation int64   `parquet:"evaluation"` // the child
	Parent     int64   `parquet:"parent"`
	Operator   string  `parquet:"operator"`
	EAP        int64   `parquet:"eap"`
	Name       string  `parquet:"name"`
	Reward     int64   `parquet:"reward"`
	Alpha      float64 `parquet:"alpha"` // of the posterior after it
	Beta       float64 `parquet:"beta"`
}

// An EAP is a row of eaps.
type EAP struct {
	Key
	EAP          int64   `parquet:"eap"`
	Name         string  `parquet:"name"`
	Origin       string  `parquet:"origin"`
	From         *int64  `parquet:"from_evaluation"`
	Birth        int64   `parquet:"birth"` // evaluations before its admission
	Exposures    int64   `parquet:"exposures"`
	Trials       int64   `parquet:"trials"`
	Improvements int64   `parquet:"improvements"`
	Alpha        float64 `parquet:"alpha"`
	Beta         float64 `parquet:"beta"`
	Programs     int64   `parquet:"programs"`
	InBest       bool    `parquet:"in_best"`
	Source       string  `parquet:"source"`
}

// rows are the rows that one run has in every table.
type rows struct {
	runs        []Run
	tests       []Test
	evaluations []Evaluation
	requests    []Request
	trials      []Trial
	eaps        []EAP
}

// of takes the rows from a run.
func of(d *results.Detail) rows {
	r := d.Run
	h := r.Header
	k := Key{
		filepath.ToSlash(r.Dir), h.Task, h.Method, h.Variant, results.Models(h.Models), h.Seed,
	}
	var out rows
	run := Run{
		Key: k, Finished: r.Finished(), Budget: int64(h.Budget), Evaluations: int64(r.Evaluations),
		Requests:     int64(r.Asked),
		PromptTokens: int64(r.Tokens().Prompt), OutputTokens: int64(r.Tokens().Completion),
		Python: h.Python, NumPy: h.NumPy, TimeScale: h.Factor(),
	}
	if usd, known := r.Cost(); known {
		run.USD = &usd
	}
	for kind, n := range r.Faults {
		if kind != record.Syntax { // free, and no evaluation
			run.Faults += int64(n)
		}
	}
	if r.Best != nil {
		run.BestEvaluation = whole(r.Best.Evaluation)
		run.BestScore, run.BestValue = &r.Best.Score, &r.Best.Value
	}
	if v, ok := r.Fresh(); ok {
		run.Fresh = &v
	}
	if r.Result != nil {
		run.Stopped = r.Result.Stopped
		for split, o := range r.Result.Tests {
			t := Test{Key: k, Split: split}
			if o.Fault != nil {
				t.Fault = text(string(o.Fault.Kind))
			} else {
				t.Value = &o.Mean
			}
			out.tests = append(out.tests, t)
		}
		slices.SortFunc(out.tests, func(a, b Test) int { return cmp.Compare(a.Split, b.Split) })
	}
	var best *float64
	total := 0.0
	for _, p := range d.Programs {
		if p.Best {
			best = p.Value
		}
		e := Evaluation{
			Key: k, Evaluation: int64(p.Evaluation), Step: int64(p.Step), Operator: p.Operator,
			Parent: nth(p.Parents, 0), Parent2: nth(p.Parents, 1), Score: p.Score, Value: p.Value,
			BestSoFar: best, Improved: p.Best, SameAs: positive(p.Twin),
			Tokens: int64(p.Tokens), USD: p.USD,
			Seconds: measured(p.Seconds), Idea: p.Idea, Source: p.Source, Program: p.Policy,
		}
		if p.Focus != nil {
			e.EAP = whole(*p.Focus)
		}
		if p.Source != "" {
			e.Program = program.Program{Source: p.Source}.ID()
		}
		if p.Fault != nil {
			e.Fault, e.FaultDetail = text(string(p.Fault.Kind)), text(p.Fault.Detail)
		}
		total += p.Seconds
		out.evaluations = append(out.evaluations, e)
	}
	run.Seconds = measured(total)
	out.runs = []Run{run}
	for _, s := range d.Steps {
		for i, x := range s.Exchanges {
			out.requests = append(out.requests, request(k, s.Number, i+1, x))
		}
	}
	sources := map[int]string{}
	for _, m := range d.Remarks {
		switch n := m.Note.(type) {
		case note.Trial:
			out.trials = append(out.trials, Trial{
				k, int64(n.Child), int64(n.Parent), n.Operator, int64(n.EAP), n.Name,
				int64(n.Reward), n.Alpha, n.Beta,
			})
		case note.Admission:
			sources[n.EAP] = n.Source
		}
	}
	for _, e := range r.EAPs {
		out.eaps = append(out.eaps, EAP{
			k, int64(e.ID), e.Name, e.Origin, positive(e.From), int64(e.Birth), int64(e.Exposures),
			int64(e.Trials), int64(e.Improvements), e.Alpha, e.Beta, int64(e.Programs),
			e.InBest, sources[e.ID],
		})
	}
	return out
}

func request(k Key, step, number int, x results.Exchange) Request {
	u := x.Reply.Usage
	r := Request{
		Key: k, Step: int64(step), Number: int64(number),
		Role: x.Purpose.Role(), Operator: x.Purpose.Operator(), Model: x.Reply.Model,
		PromptTokens: int64(u.Prompt), CachedTokens: int64(u.Cached), ImageTokens: int64(u.Images),
		OutputTokens: int64(u.Completion), Reasoning: int64(u.Reasoning),
		Estimated: u.Estimated, Finish: x.Reply.Finish, USD: x.USD, Seconds: measured(x.Seconds),
		Shared: x.Shared,
	}
	if x.Refused != "" {
		r.Refused = text(x.Refused)
	}
	return r
}

func whole(n int) *int64 { v := int64(n); return &v }

func text(s string) *string { return &s }

// positive is a number that means something from 1 on.
func positive(n int) *int64 {
	if n < 1 {
		return nil
	}
	return whole(n)
}

// measured is a time; none was taken where it is 0.
func measured(s float64) *float64 {
	if s == 0 {
		return nil
	}
	return &s
}

func nth(ns []int, i int) *int64 {
	if i >= len(ns) {
		return nil
	}
	return whole(ns[i])
}
