package results

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// A Detail is a run with all texts of its journal. The pages of a run and `inspect --json` show it
// as JSON.
type Detail struct {
	Run      *Run       `json:"-"`
	Steps    []*Step    `json:"steps"`    // in the order of the journal
	Programs []*Program `json:"programs"` // charged programs, in order
	Notes    []Note     `json:"remarks"`  // notes of the method between two steps

	byNumber map[int]*Program
	steps    map[int]*Step // by number
}

// A Step is one unit of work with its requests, evaluations and notes.
type Step struct {
	Number    int        `json:"step"` // from 0
	Operator  string     `json:"operator,omitempty"`
	Exchanges []Exchange `json:"exchanges,omitempty"`
	Notes     []Note     `json:"remarks,omitempty"`
	Programs  []*Program `json:"-"` // charged or not
	Refused   string     `json:"lost,omitempty"`
	Consulted bool       `json:"consulted,omitempty"` // later programs used its reply
}

// An Exchange is a request, its reply, and why the reply was refused.
type Exchange struct {
	llm.Request
	Reply   llm.Reply `json:"reply"`
	Refused string    `json:"refused,omitempty"`
	Seconds float64   `json:"seconds,omitempty"`
	USD     *float64  `json:"usd,omitempty"`
	Shared  bool      `json:"shared,omitempty"` // sent and paid for by the base of a paired run
}

// A Program is one evaluated source, with its origin and its outcome. Its evaluation identifies it.
type Program struct {
	Evaluation int           `json:"evaluation"` // from 1; 0 for a free evaluation
	Step       int           `json:"step"`
	Operator   string        `json:"operator,omitempty"`
	Parents    []int         `json:"parents,omitempty"` // the better first
	Children   []int         `json:"children,omitempty"`
	Focus      *int          `json:"focus,omitempty"` // the EAP that its prompt contained
	Calls      []int         `json:"calls,omitempty"` // the EAPs that it calls, if noted
	Idea       string        `json:"idea,omitempty"`
	Source     string        `json:"source,omitempty"`
	Policy     string        `json:"policy,omitempty"`
	Score      *float64      `json:"score"` // larger is better; nil for a fault
	Value      *float64      `json:"value"` // the mean of Values, in the task's unit
	Values     []float64     `json:"values,omitempty"`
	Fault      *record.Fault `json:"fault,omitempty"`
	Evidence   []record.Blob `json:"evidence,omitempty"`
	Twin       int           `json:"twin,omitempty"` // first evaluation of this source; 0: itself
	Best       bool          `json:"best,omitempty"` // the best when it was evaluated
	Seconds    float64       `json:"seconds,omitempty"`
	Doubtful   bool          `json:"doubtful,omitempty"` // see Run.Doubtful
	Tokens     int           `json:"tokens"`             // tokens of the program's step
	USD        *float64      `json:"usd,omitempty"`      // cost of the program's step, if known
}

// A Note is a note of the method. After is the number of charged evaluations before the note.
type Note struct {
	After int             `json:"after"`
	Kind  string          `json:"kind"`
	Value json.RawMessage `json:"value"`
	Note  note.Note       `json:"-"` // nil if it cannot be read
}

// Open reads one run in full. It changes no file.
func Open(v Decoders, dir string) (*Detail, error) {
	l, err := record.Load(dir)
	if err != nil {
		return nil, begun(err)
	}
	d, err := newDetail(l, v)
	if err != nil {
		return nil, err
	}
	for _, s := range d.Steps {
		for _, p := range s.Programs {
			p.Idea = s.idea()
		}
	}
	return d, nil
}

// Program returns the program of a charged evaluation; nil if the run has no evaluation with this
// number.
func (d *Detail) Program(evaluation int) *Program { return d.byNumber[evaluation] }

// StepOf returns the step that evaluated a program.
func (d *Detail) StepOf(p *Program) *Step { return d.steps[p.Step] }

// Ancestors returns all programs from which an evaluation descends, including itself, newest first.
func (d *Detail) Ancestors(evaluation int) []int {
	all := d.reach(evaluation, func(p *Program) []int { return p.Parents })
	slices.Reverse(all)
	return all
}

// Descendants returns all programs that descend from an evaluation, without itself, oldest first.
func (d *Detail) Descendants(evaluation int) []int {
	all := d.reach(evaluation, func(p *Program) []int { return p.Children })
	return slices.DeleteFunc(all, func(e int) bool { return e == evaluation })
}

// reach returns the programs that next leads to from a program, including itself, in the order of
// evaluations.
func (d *Detail) reach(from int, next func(*Program) []int) []int {
	seen := map[int]bool{}
	for open := []int{from}; len(open) > 0; {
		e := open[0]
		open = open[1:]
		if p := d.Program(e); p != nil && !seen[e] {
			seen[e] = true
			open = append(open, next(p)...)
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// idea returns the idea in the last reply of a step to a request for a program.
func (s *Step) idea() string {
	for _, x := range slices.Backward(s.Exchanges) {
		if x.Purpose.Role() == "algorithm" {
			return program.Idea(x.Reply.Text)
		}
	}
	return ""
}

// improved reports whether a program scores above its first parent; known is false unless both have
// a score.
func (d *Detail) improved(p *Program) (better, known bool) {
	if p.Score == nil || len(p.Parents) == 0 {
		return false, false
	}
	parent := d.Program(p.Parents[0])
	if parent == nil || parent.Score == nil {
		return false, false
	}
	return Tolerance(0).Compare(*p.Score, *parent.Score) > 0, true
}

// seconds converts the i-th time from milliseconds to seconds; 0 if there is no such time.
func seconds(ms []float64, i int) float64 {
	if i >= len(ms) {
		return 0
	}
	return ms[i] / 1000
}
