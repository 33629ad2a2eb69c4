package record

import (
	"cmp"
	"maps"
	"slices"
)

// Val names the validation split, whose instances no search ever sees.
const Val = "val"

// Validated is how many of a run's best distinct programs are scored on the validation split.
const Validated = 10

// A Validation is how a run's best programs do on instances like those of training, and which of
// them both sets together choose. It stands in result.json and in no header: no journal hangs on
// it.
type Validation struct {
	Data     string             `json:"data"`             // SHA-256 of the split's instances
	Chosen   int                `json:"chosen,omitempty"` // by its evaluation; 0: all failed
	Programs []ValidatedProgram `json:"programs"`         // the best in training first
	// Tests are those of the chosen program, where the best in training is another one.
	Tests map[string]*SplitOutcome `json:"tests,omitempty"`
}

// A ValidatedProgram is one of the best programs, with means in the task's unit.
type ValidatedProgram struct {
	Evaluation int           `json:"evaluation"`
	Program    string        `json:"program"`
	Train      float64       `json:"train"` // re-evaluated, where the task is noisy
	Val        *SplitOutcome `json:"val"`
	Both       float64       `json:"both"` // over all instances of the two; 0 with a fault
}

// Leaders are the best distinct programs by training score, at most n, the earlier of equal ones
// first.
func Leaders(programs []Scored, n int) []Scored {
	ranked := slices.Clone(programs)
	slices.SortStableFunc(ranked, func(a, b Scored) int {
		return cmp.Compare(b.Outcome.Score, a.Outcome.Score)
	})
	seen := map[string]bool{}
	ranked = slices.DeleteFunc(ranked, func(s Scored) bool {
		dup := seen[s.Program.ID()]
		seen[s.Program.ID()] = true
		return dup
	})
	return ranked[:min(len(ranked), n)]
}

// Candidates are the programs of which validation chooses one. Of a noisy task they are those with
// a fresh score: a searched one flatters.
func (r *Result) Candidates(programs []Scored) []Scored {
	leaders := Leaders(programs, Validated)
	if r.Rescored == nil {
		return leaders
	}
	return slices.DeleteFunc(leaders, func(s Scored) bool { return r.fresh(s) == nil })
}

func (r *Result) fresh(s Scored) *RescoredProgram {
	i := slices.IndexFunc(r.Rescored.Programs, func(p RescoredProgram) bool {
		return p.Evaluation == s.Evaluation
	})
	if i < 0 {
		return nil
	}
	return &r.Rescored.Programs[i]
}

// Validate puts together what the candidates have on the validation split with those instances, and
// chooses.
func (r *Result) Validate(data string, candidates []Scored, outcomes []*SplitOutcome) *Validation {
	v := &Validation{Data: data, Programs: []ValidatedProgram{}}
	best := 0.0
	for i, s := range candidates {
		p := ValidatedProgram{
			Evaluation: s.Evaluation, Program: s.Program.ID(),
			Train: Mean(s.Outcome.Values), Val: outcomes[i],
		}
		if r.Rescored != nil {
			p.Train = r.fresh(s).Fresh
		}
		if p.Val.Fault == nil {
			n, m := float64(len(s.Outcome.Values)), float64(len(p.Val.Values))
			p.Both = (n*p.Train + m*p.Val.Mean) / (n + m)
			score := p.Both
			if r.Best.Minimized() {
				score = -score
			}
			if v.Chosen == 0 || score > best {
				v.Chosen, best = p.Evaluation, score
			}
		}
		v.Programs = append(v.Programs, p)
	}
	return v
}

// ChosenByValidation is the program that validation chose; nil where there is none.
func (r *Result) ChosenByValidation() *ValidatedProgram {
	if r.Validation == nil {
		return nil
	}
	for i, p := range r.Validation.Programs {
		if p.Evaluation == r.Validation.Chosen {
			return &r.Validation.Programs[i]
		}
	}
	return nil
}

// Another reports whether validation chose another program than training.
func (r *Result) Another() bool {
	c := r.ChosenByValidation()
	return c != nil && c.Program != r.Best.Program
}

// ChosenTest is the outcome of the program that validation chose on a test split; nil where there
// is none.
func (r *Result) ChosenTest(split string) *SplitOutcome {
	switch {
	case r.ChosenByValidation() == nil:
		return nil
	case r.Another():
		return r.Validation.Tests[split]
	}
	return r.Tests[split]
}

// Lacks are the splits, of tests or the validation split, that something is still to be scored on;
// of a search without a program there are none.
func (r *Result) Lacks(splits []string) (missing []string) {
	for _, name := range splits {
		lacking := r.Tests[name] == nil || r.Another() && r.Validation.Tests[name] == nil
		if name == Val {
			lacking = r.Validation == nil
		}
		if r.Best != nil && lacking {
			missing = append(missing, name)
		}
	}
	return missing
}

// Splits are the splits that the result has values on, besides training's.
func (r *Result) Splits() []string {
	splits := slices.Collect(maps.Keys(r.Tests))
	if r.Validation != nil {
		splits = slices.AppendSeq(append(splits, Val), maps.Keys(r.Validation.Tests))
	}
	slices.Sort(splits)
	return slices.Compact(splits)
}
