package results

import (
	"maps"
	"slices"

	"github.com/pacebench/pacebench/record/note"
)

// A Why compares a run before and after its last improvement, for a user whose search no longer
// improves.
type Why struct {
	Best        int      `json:"best"`        // evaluation of the best program; 0: no program
	Evaluations int      `json:"evaluations"` // number of charged evaluations
	Value       float64  `json:"value"`       // of the best program
	Improved    int      `json:"improved"`    // how often the best program changed
	Before      Phase    `json:"before"`      // up to and including the best program
	After       Phase    `json:"after"`
	Operators   []Change `json:"operators"`
	EAPs        []Change `json:"eaps,omitempty"` // EAPs with trials
}

// A Change has the results of an operator or an EAP before and after the last improvement.
type Change struct {
	Name          string `json:"name"`
	Before, After Phase
}

// A Phase counts steps, the outcomes of their programs, and trials.
type Phase struct {
	Steps    int `json:"steps"`    // proposals
	Refused  int `json:"lost"`     // steps without a program to evaluate
	Programs int `json:"programs"` // evaluated programs
	Faults   int `json:"faults"`   // programs that failed
	Twins    int `json:"twins"`    // scored programs with the source of an earlier program
	Better   int `json:"better"`   // programs that scored above their first parent
	Alike    int `json:"alike"`    // programs with an earlier program's score, but another source
	Trials   int `json:"trials"`   // trials of EAPs
	Gains    int `json:"gains"`    // trials whose program scored above its first parent
}

// Why compares the run before and after its last improvement.
func (d *Detail) Why() Why {
	w := Why{Evaluations: d.Run.Evaluations, Improved: len(d.Run.Curve)}
	if d.Run.Best != nil {
		w.Best, w.Value = d.Run.Best.Evaluation, d.Run.Best.Value
	}
	whole := &Change{}
	operators, eaps := map[string]*Change{}, map[string]*Change{}
	of := func(m map[string]*Change, name string) *Change {
		if m[name] == nil {
			m[name] = &Change{Name: name}
		}
		return m[name]
	}
	add := func(after bool, count func(*Phase), changes ...*Change) {
		for _, c := range changes {
			if after {
				count(&c.After)
			} else {
				count(&c.Before)
			}
		}
	}
	seen := map[float64]bool{}
	committed := 0
	for _, s := range d.Steps {
		if s.Operator != "" {
			add(w.Best > 0 && committed >= w.Best, func(p *Phase) { p.add(s, seen, d) },
				whole, of(operators, s.Operator))
		}
		for _, p := range s.Programs {
			committed = max(committed, p.Evaluation)
			if p.Score != nil {
				seen[*p.Score] = true
			}
		}
	}
	for _, r := range d.Notes {
		if t, ok := r.Note.(note.Trial); ok {
			add(w.Best > 0 && t.Child > w.Best, func(p *Phase) {
				p.Trials, p.Gains = p.Trials+1, p.Gains+t.Reward
			}, whole, of(operators, t.Operator), of(eaps, t.Name))
		}
	}
	w.Before, w.After = whole.Before, whole.After
	w.Operators, w.EAPs = sorted(operators), sorted(eaps)
	return w
}

func (p *Phase) add(s *Step, seen map[float64]bool, d *Detail) {
	p.Steps++
	charged := 0
	for _, x := range s.Programs {
		if x.Evaluation < 1 {
			continue
		}
		charged++
		switch {
		case x.Fault != nil:
			p.Faults++
		case x.Twin > 0:
			p.Twins++
		case seen[*x.Score]:
			p.Alike++
		}
		if better, _ := d.improved(x); better {
			p.Better++
		}
	}
	p.Programs += charged
	if charged == 0 && !s.Consulted {
		p.Refused++
	}
}

func sorted(m map[string]*Change) []Change {
	var out []Change
	for _, name := range slices.SortedFunc(maps.Keys(m), compareOperators) {
		out = append(out, *m[name])
	}
	return out
}
