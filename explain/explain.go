package explain

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// Bounds of what is read of a file from elsewhere.
const (
	MaxParts  = 200  // also programs of a population
	maxValues = 2000 // of one program on one split
)

// Paired is how many of the largest parts have their interactions measured.
const Paired = 5

// A Plan says which program is explained, and how: the first line of explain.jsonl.
type Plan struct {
	Format     int               `json:"format"`
	Journal    string            `json:"journal,omitempty"`    // SHA-256; empty: a file
	Evaluation int               `json:"evaluation,omitempty"` // that found the program
	Program    string            `json:"program"`              // its ID
	Task       string            `json:"task"`
	Version    string            `json:"version"` // of the task
	Splits     []string          `json:"splits"`  // the training split, the screen, first
	Data       map[string]string `json:"data"`    // SHA-256 of instances, by split
	Maximized  bool              `json:"maximized,omitempty"`
	Default    bool              `json:"default,omitempty"` // the template has a body
	Top        int               `json:"top"`               // parts on the splits after the first
	Most       int               `json:"most"`              // parts
	Pairs      bool              `json:"pairs,omitempty"`
	Callers    []Caller          `json:"callers,omitempty"` // PACE's programs with EAPs
	program.Parts
}

// A Caller is a program of PACE's last population with the EAPs that it calls.
type Caller struct {
	Evaluation int         `json:"evaluation"`
	EAPs       []Primitive `json:"eaps"`
}

// A Primitive is an EAP with trials, its posterior, and the edits that drop its calls.
type Primitive struct {
	EAP   int            `json:"eap"`
	Name  string         `json:"name"`
	Alpha float64        `json:"alpha"`
	Beta  float64        `json:"beta"`
	Drop  []program.Edit `json:"drop"`
}

// A Job is a program to score on a split. Without other fields it is the explained program.
type Job struct {
	Split   string `json:"split"`
	Parts   []int  `json:"parts,omitempty"`   // knocked out, by place in Plan.Parts, from 0
	Ways    []int  `json:"ways,omitempty"`    // the knock-out of each part, from 0
	Default bool   `json:"default,omitempty"` // the template's program
	Caller  int    `json:"caller,omitempty"`  // the evaluation of a Caller
	EAP     *int   `json:"eap,omitempty"`     // whose calls in the Caller are dropped
}

func (j Job) same(k Job) bool {
	return j.Split == k.Split && slices.Equal(j.Parts, k.Parts) && slices.Equal(j.Ways, k.Ways) &&
		j.Default == k.Default && j.Caller == k.Caller &&
		(j.EAP == nil) == (k.EAP == nil) && (j.EAP == nil || *j.EAP == *k.EAP)
}

// A Measurement is a scored Job: a line of explain.jsonl.
type Measurement struct {
	Job
	Values []float64        `json:"values,omitempty"` // in the task's unit, one for each instance
	Fault  record.FaultKind `json:"fault,omitempty"`
}

// An Explained is a Plan with its values and what follows from them.
type Explained struct {
	Plan
	Ways    []int               // the knock-out of each part that runs; -1: needed to run
	Effects map[string][]Effect // by split, one for each part; Mean is NaN if not measured
	Pairs   []Pair
	Gain    float64 // training score minus the score of the template's program; NaN: unknown
	Credit  []Credit
	Total   int // measurements
}

// A Pair is the interaction of two parts on a split: effect(a,b) − effect(a) − effect(b).
type Pair struct {
	A, B  int // places in Plan.Parts
	Split string
	Effect
}

// A Credit is an EAP's posterior mean next to the mean effect of its calls on training, over the
// programs that call it.
type Credit struct {
	EAP       int
	Name      string
	Posterior float64
	Effect    float64 // score lost without its calls, in the task's unit
	Programs  int     // that run without its calls
	Needed    int     // programs that do not
}

// Measure has a plan's jobs scored, in an order that depends only on the plan and the values. score
// returns one Measurement for each job.
func Measure(p Plan, score func([]Job) ([]Measurement, error)) (*Explained, error) {
	e := &Explained{Plan: p, Effects: map[string][]Effect{}, Gain: math.NaN()}
	sign := -1.0
	if p.Maximized {
		sign = 1
	}
	measure := func(jobs []Job) ([]Measurement, error) {
		done, err := score(jobs)
		e.Total += len(done)
		return done, err
	}
	train, parts := p.Splits[0], p.Parts.Parts
	whole := map[string][]float64{} // the program's values
	known := make(map[string][][]float64)
	e.Ways = slices.Repeat([]int{-1}, len(parts))
	jobs := []Job{{Split: train}}
	if p.Default {
		jobs = append(jobs, Job{Split: train, Default: true})
	}
	first, err := measure(jobs)
	if err != nil {
		return nil, err
	}
	if first[0].Fault != "" {
		return nil, fmt.Errorf("the program has no score on %s: %s", train, first[0].Fault)
	}
	whole[train] = first[0].Values
	if p.Default && first[1].Fault == "" {
		e.Gain = sign * (record.Mean(whole[train]) - record.Mean(first[1].Values))
	}
	known[train] = make([][]float64, len(parts))
	for way := range 2 {
		jobs = nil
		for i, part := range parts {
			if e.Ways[i] < 0 && way < len(part.Ways) {
				jobs = append(jobs, Job{Split: train, Parts: []int{i}, Ways: []int{way}})
			}
		}
		done, err := measure(jobs)
		if err != nil {
			return nil, err
		}
		for _, m := range done {
			if m.Fault == "" {
				e.Ways[m.Parts[0]], known[train][m.Parts[0]] = way, m.Values
			}
		}
	}
	if e.Effects[train], err = e.effects(train, whole[train], known[train], sign); err != nil {
		return nil, err
	}
	top := e.largest(p.Top)
	for _, split := range p.Splits[1:] {
		jobs = []Job{{Split: split}}
		for _, i := range top {
			jobs = append(jobs, Job{Split: split, Parts: []int{i}, Ways: []int{e.Ways[i]}})
		}
		done, err := measure(jobs)
		if err != nil {
			return nil, err
		}
		if done[0].Fault != "" {
			continue // the program fails there; nothing can be compared
		}
		whole[split], known[split] = done[0].Values, make([][]float64, len(parts))
		for _, m := range done[1:] {
			if m.Fault == "" {
				known[split][m.Parts[0]] = m.Values
			}
		}
		if e.Effects[split], err = e.effects(split, whole[split], known[split], sign); err != nil {
			return nil, err
		}
	}
	if p.Pairs {
		if err := e.interactions(measure, whole, known, sign); err != nil {
			return nil, err
		}
	}
	return e, e.credit(measure, sign)
}

// differences returns the differences of scores between programs, by instance.
func differences(of, without []float64, sign float64) ([]float64, error) {
	if len(of) != len(without) || len(of) == 0 {
		return nil, fmt.Errorf("%d values, and %d without a part", len(of), len(without))
	}
	d := make([]float64, len(of))
	for i := range of {
		d[i] = sign * (of[i] - without[i])
	}
	return d, nil
}

// effects computes the effects of all parts with values on a split.
func (e *Explained) effects(split string, whole []float64, known [][]float64, sign float64) (
	[]Effect, error) {
	family := 0
	for _, values := range known {
		if values != nil {
			family++
		}
	}
	out := make([]Effect, len(known))
	var ps []float64
	for i, values := range known {
		if values == nil {
			nan := math.NaN()
			out[i] = Effect{
				Mean: nan, Low: nan, High: nan, P: nan, Holm: nan, Visible: nan,
			}
			continue
		}
		d, err := differences(whole, values, sign)
		if err != nil {
			return nil, fmt.Errorf("part %d on %s: %w", i+1, split, err)
		}
		out[i] = newEffect(d, e.stream(split, i), family)
		ps = append(ps, out[i].P)
	}
	holm(out, ps)
	return out, nil
}

func (e *Explained) stream(split string, parts ...int) string {
	return fmt.Sprint(e.Program, split, parts)
}

// largest returns the places of the n parts with the largest effects on training, in their order.
func (e *Explained) largest(n int) (out []int) {
	effects := e.Effects[e.Splits[0]]
	for i, way := range e.Ways {
		if way >= 0 {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int {
		return cmp.Compare(math.Abs(effects[b].Mean), math.Abs(effects[a].Mean))
	})
	out = out[:min(n, len(out))]
	slices.Sort(out)
	return out
}

// interactions measures the pairs of the largest parts on each split. A pair whose knock-outs
// overlap has no interaction.
func (e *Explained) interactions(measure func([]Job) ([]Measurement, error),
	whole map[string][]float64, known map[string][][]float64, sign float64) error {
	var jobs []Job
	top := e.largest(Paired)
	for i, a := range top {
		for _, b := range top[i+1:] {
			x, y := e.Plan.Parts.Parts[a].Ways[e.Ways[a]], e.Plan.Parts.Parts[b].Ways[e.Ways[b]]
			if x.End > y.Start && y.End > x.Start {
				continue
			}
			for _, split := range e.Splits {
				if whole[split] != nil {
					jobs = append(jobs, Job{
						Split: split, Parts: []int{a, b}, Ways: []int{e.Ways[a], e.Ways[b]},
					})
				}
			}
		}
	}
	done, err := measure(jobs)
	if err != nil {
		return err
	}
	for _, split := range e.Splits {
		var found []Pair
		var ps []float64
		for _, m := range done {
			if m.Split != split || m.Fault != "" {
				continue
			}
			a, b := m.Parts[0], m.Parts[1]
			x, y := known[split][a], known[split][b]
			if len(x) != len(m.Values) || len(y) != len(m.Values) {
				continue // a part alone does not run there
			}
			d, err := differences(whole[split], m.Values, sign)
			if err != nil {
				return err
			}
			for i := range d {
				d[i] -= sign * (2*whole[split][i] - x[i] - y[i])
			}
			found = append(found, Pair{
				a, b, split, newEffect(d, e.stream(split, a, b), len(jobs)/len(e.Splits)),
			})
			ps = append(ps, found[len(found)-1].P)
		}
		for i, p := range results.Holm(ps) {
			found[i].Holm = p
		}
		e.Pairs = append(e.Pairs, found...)
	}
	return nil
}

// credit measures the calls of EAPs in the programs of the last population.
func (e *Explained) credit(measure func([]Job) ([]Measurement, error), sign float64) error {
	train := e.Splits[0]
	var jobs []Job
	for _, c := range e.Callers {
		jobs = append(jobs, Job{Split: train, Caller: c.Evaluation})
		for _, p := range c.EAPs {
			jobs = append(jobs, Job{Split: train, Caller: c.Evaluation, EAP: &p.EAP})
		}
	}
	done, err := measure(jobs)
	if err != nil {
		return err
	}
	byEAP := map[int]*Credit{}
	at := 0
	for _, c := range e.Callers {
		whole := done[at]
		for i, p := range c.EAPs {
			m := done[at+1+i]
			if byEAP[p.EAP] == nil {
				byEAP[p.EAP] = &Credit{
					EAP: p.EAP, Name: p.Name, Posterior: p.Alpha / (p.Alpha + p.Beta),
				}
			}
			k := byEAP[p.EAP]
			if whole.Fault != "" || m.Fault != "" {
				k.Needed++
				continue
			}
			k.Programs++
			k.Effect += sign * (record.Mean(whole.Values) - record.Mean(m.Values))
		}
		at += 1 + len(c.EAPs)
	}
	for _, k := range byEAP {
		k.Effect /= float64(k.Programs) // NaN: the programs do not run without it
		e.Credit = append(e.Credit, *k)
	}
	slices.SortFunc(e.Credit, func(a, b Credit) int { return cmp.Compare(a.EAP, b.EAP) })
	return nil
}

// Shown is the effect of a part that is free of selection: on the first split after training, if
// its knock-out runs there, and otherwise on training. Mean is NaN for a part that is needed to
// run.
func (e *Explained) Shown(part int) (effect Effect, split string) {
	for _, split := range e.Splits[1:] {
		if all := e.Effects[split]; all != nil && !math.IsNaN(all[part].Mean) {
			return all[part], split
		}
	}
	return e.Effects[e.Splits[0]][part], e.Splits[0]
}

// Verdict puts a part's effect into words for a margin.
func (e *Explained) Verdict(part, digits int) string {
	shown, _ := e.Shown(part)
	switch {
	case math.IsNaN(shown.Mean):
		return "needed to run"
	case e.Unchanged(part):
		return "changes nothing"
	case math.IsNaN(shown.Visible):
		return "too few instances"
	case !shown.Significant():
		return "no effect seen"
	}
	return strconv.FormatFloat(shown.Mean, 'f', digits, 64)
}

// Unchanged reports whether no value on any split changes without the part.
func (e *Explained) Unchanged(part int) bool {
	for _, effects := range e.Effects {
		if x := effects[part]; !math.IsNaN(x.Mean) && !x.Same {
			return false
		}
	}
	return e.Ways[part] >= 0
}

// Dead returns how many of the program's statements can be deleted without a change of any value,
// and how many statements there are.
func (e *Explained) Dead() (n, all int) {
	dead := map[int]bool{}
	for _, at := range e.Unreachable {
		dead[at] = true
	}
	for i, part := range e.Plan.Parts.Parts {
		for _, at := range part.Removes {
			dead[at] = dead[at] || e.Unchanged(i)
		}
	}
	for _, is := range dead {
		if is {
			n++
		}
	}
	return min(n, e.Statements), e.Statements
}

// Largest returns the largest significant effect as a share of Gain; ok is false without such an
// effect.
func (e *Explained) Largest() (share float64, ok bool) {
	most := 0.0
	for i := range e.Ways {
		if x, _ := e.Shown(i); x.Significant() {
			most = max(most, x.Mean)
		}
	}
	return most / e.Gain, most > 0 && e.Gain > 0
}

// Significant counts the parts whose effects differ from 0.
func (e *Explained) Significant() (n int) {
	for i := range e.Ways {
		if x, _ := e.Shown(i); x.Significant() {
			n++
		}
	}
	return n
}

var errEnds = errors.New("it ends before its last measurement")

// Read reads explain.jsonl in a directory. If the file does not exist, the error is fs.ErrNotExist.
// Other errors name the line.
func Read(dir string) (*Explained, error) {
	path := filepath.Join(dir, record.ExplainFile)
	p, known, err := Known(path)
	if err != nil {
		return nil, err
	}
	e, err := Measure(p, func(jobs []Job) ([]Measurement, error) {
		if len(jobs) > len(known) {
			return nil, errEnds
		}
		done := known[:len(jobs)]
		known = known[len(jobs):]
		return done, Due(done, jobs)
	})
	if err == nil && len(known) > 0 {
		err = errors.New("something follows its last measurement")
	}
	if err != nil {
		return nil, hint.Add(fmt.Errorf("%s: %w", path, err),
			"pacebench explain, repeated, finishes it")
	}
	return e, nil
}

// Due is an error if measurements are not of the jobs that are due.
func Due(done []Measurement, jobs []Job) error {
	for i, m := range done {
		if !m.same(jobs[i]) {
			return fmt.Errorf("the measurement of parts %v on %s is not due here",
				m.Parts, m.Split)
		}
	}
	return nil
}

// Known reads the plan and the measurements of a file. It refuses numbers that no measurement has.
func Known(path string) (p Plan, known []Measurement, err error) {
	lines, _, err := journal.Read(path)
	if err != nil {
		return p, nil, err
	}
	wrong := func(line int, format string, args ...any) (Plan, []Measurement, error) {
		return p, nil, hint.Add(fmt.Errorf("%s:%d: %w", path, line, fmt.Errorf(format, args...)),
			"remove it and explain the run again")
	}
	if len(lines) == 0 {
		return wrong(1, "the file is empty")
	}
	if err := json.Unmarshal(lines[0], &p); err != nil {
		return wrong(1, "%w", hint.JSON(err))
	}
	switch n := len(p.Parts.Parts); {
	case p.Format != record.FormatVersion:
		return wrong(1, "format %d, this program reads format %d", p.Format, record.FormatVersion)
	case len(p.Splits) == 0 || len(p.Splits) > 20 || p.Top < 0:
		return wrong(1, "it names no splits, or too many")
	case n > MaxParts || len(p.Callers) > MaxParts:
		return wrong(1, "more than %d parts", MaxParts)
	}
	for _, part := range p.Parts.Parts {
		if len(part.Ways) == 0 || len(part.Ways) > 2 {
			return wrong(1, "a part has %d knock-outs", len(part.Ways))
		}
	}
	for i, line := range lines[1:] {
		var m Measurement
		if err := json.Unmarshal(line, &m); err != nil {
			return wrong(i+2, "%w", hint.JSON(err))
		}
		if len(m.Values) > maxValues || (len(m.Values) == 0) == (m.Fault == "") {
			return wrong(i+2, "%d values, fault %q", len(m.Values), m.Fault)
		}
		known = append(known, m)
	}
	return p, known, nil
}
