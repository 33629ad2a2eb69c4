package record

import (
	"cmp"
	"maps"
	"slices"
)

// Val names the validation split, whose instances no search ever sees.
const Val = "val"

// Validated is the number of a run's best distinct programs that are scored on the validation
// split.
const Validated = 10

// A Validation contains the scores of a run's best programs on instances like the training
// instances, and the program that is best on both sets together. It is in result.json and in no
// header, because no journal depends on it.
type Validation struct {
	Data     string             `json:"data"`             // SHA-256 of the split's instances
	Chosen   int                `json:"chosen,omitempty"` // an evaluation; 0: all programs failed
	Programs []ValidatedProgram `json:"programs"`         // best in training first
	// Tests are the outcomes of the chosen program by test split, if it differs from the best in
	// training.
	Tests map[string]*SplitOutcome `json:"tests,omitempty"`
}

// A ValidatedProgram is one of the best programs, with means in the task's unit.
type ValidatedProgram struct {
	Evaluation int           `json:"evaluation"`
	Program    string        `json:"program"`
	Train      float64       `json:"train"` // re-evaluated if the task is noisy
	Val        *SplitOutcome `json:"val"`
	Both       float64       `json:"both"` // over the instances of both splits; 0 with a fault
}

// Leaders returns the best distinct programs by training score, at most n. Among equal scores, the
// earliest is first.
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

// Candidates returns the programs among which validation chooses. For a noisy task, these are only
// the programs that were re-evaluated, because the score that the search saw is too optimistic.
func (r *Result) Candidates(programs []Scored) []Scored {
	leaders := Leaders(programs, Validated)
	if r.Rescored == nil {
		return leaders
	}
	return slices.DeleteFunc(leaders, func(s Scored) bool {
		return r.Rescored.Program(s.Evaluation) == nil
	})
}

// Validate combines the candidates with their outcomes on the validation split, and chooses the
// best.
func (r *Result) Validate(data string, candidates []Scored, outcomes []*SplitOutcome) *Validation {
	v := &Validation{Data: data, Programs: []ValidatedProgram{}}
	best := 0.0
	for i, s := range candidates {
		p := ValidatedProgram{
			Evaluation: s.Evaluation, Program: s.Program.ID(),
			Train: Mean(s.Outcome.Values), Val: outcomes[i],
		}
		if r.Rescored != nil {
			p.Train = r.Rescored.Program(s.Evaluation).Fresh
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

// ChosenByValidation returns the program that validation chose, or nil if it chose none.
func (r *Result) ChosenByValidation() *ValidatedProgram {
	if r.Validation == nil {
		return nil
	}
	return r.Validation.Program(r.Validation.Chosen)
}

// Program returns the validation of a program; nil if v does not contain it or is nil.
func (v *Validation) Program(evaluation int) *ValidatedProgram {
	if v != nil {
		for i, p := range v.Programs {
			if p.Evaluation == evaluation {
				return &v.Programs[i]
			}
		}
	}
	return nil
}

// Another reports whether validation chose a different program than training.
func (r *Result) Another() bool {
	c := r.ChosenByValidation()
	return c != nil && c.Program != r.Best.Program
}

// ChosenTest returns the outcome on a test split of the program that validation chose; nil if it
// was not scored there.
func (r *Result) ChosenTest(split string) *SplitOutcome {
	switch {
	case r.ChosenByValidation() == nil:
		return nil
	case r.Another():
		return r.Validation.Tests[split]
	}
	return r.Tests[split]
}

// Lacks returns which of the given splits, test splits or the validation split, still have to be
// scored. If no program has a score, it returns nil.
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

// Splits returns the splits on which the result has values, except the training split.
func (r *Result) Splits() []string {
	splits := slices.Collect(maps.Keys(r.Tests))
	if r.Validation != nil {
		splits = slices.AppendSeq(append(splits, Val), maps.Keys(r.Validation.Tests))
	}
	slices.Sort(splits)
	return slices.Compact(splits)
}
