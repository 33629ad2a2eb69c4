package explain

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strconv"

	"gonum.org/v1/gonum/stat"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

// Bounds on untrusted files.
const (
	MaxParts  = 200  // of a program; also bounds Plan.Callers
	maxValues = 2000 // of one program on one split
)

// Paired is the number of parts whose interactions are measured: the parts with the largest
// effects.
const Paired = 5

// A Plan is the first line of explain.jsonl. It names the program to explain and the settings.
type Plan struct {
	Format     int               `json:"format"`
	Journal    string            `json:"journal,omitempty"`    // SHA-256; empty for a program file
	Evaluation int               `json:"evaluation,omitempty"` // that made the program
	Program    string            `json:"program"`              // its ID
	Task       string            `json:"task"`
	Version    string            `json:"version"` // of the task
	Splits     []string          `json:"splits"`  // training is first; all parts are measured on it
	Data       map[string]string `json:"data"`    // SHA-256 of the instances, by split
	Maximized  bool              `json:"maximized,omitempty"`
	Default    bool              `json:"default,omitempty"` // the template has a body
	Top        int               `json:"top"`               // parts measured on the other splits
	Most       int               `json:"most"`              // largest number of parts
	Pairs      bool              `json:"pairs,omitempty"`
	Callers    []Caller          `json:"callers,omitempty"` // programs of PACE that call EAPs
	program.Parts
}

// A Caller is a program of PACE's last population with the EAPs that it calls.
type Caller struct {
	Evaluation int         `json:"evaluation"`
	EAPs       []Primitive `json:"eaps"`
}

// A Primitive is an EAP that has trials, with its posterior and the edits that remove its calls.
type Primitive struct {
	EAP   int            `json:"eap"`
	Name  string         `json:"name"`
	Alpha float64        `json:"alpha"`
	Beta  float64        `json:"beta"`
	Drop  []program.Edit `json:"drop"`
}

// A Job is a program to score on a split. If only Split is set, it is the explained program.
type Job struct {
	Split string `json:"split"`
	// Out are the parts that are knocked out: the place in Parts and the place in Ways, from 0.
	Out     [][2]int `json:"out,omitempty"`
	Default bool     `json:"default,omitempty"` // the template's program
	Caller  int      `json:"caller,omitempty"`  // place in Plan.Callers, from 1
	// Drop is the place, from 1, of the EAP in Caller.EAPs whose calls are removed; 0: no EAP.
	Drop int `json:"drop,omitempty"`
}

func (j Job) String() string { return fmt.Sprint(j.Split, j.Out, j.Default, j.Caller, j.Drop) }

// A Measurement is a scored Job, and a line of explain.jsonl.
type Measurement struct {
	Job
	Values []float64        `json:"values,omitempty"` // in the task's unit, one for each instance
	Fault  record.FaultKind `json:"fault,omitempty"`
}

// An Explained is a Plan with the measured values and the statistics that follow from them.
type Explained struct {
	Plan
	Ways    []int               // by part: place of its knock-out that runs; -1: needed to run
	Effects map[string][]Effect // by split, one for each part; Mean is NaN if it was not measured
	Pairs   []Pair
	Gain    float64 // training score minus the score of the template's program; NaN: unknown
	Credit  []Credit
	known   map[string]Measurement // by job
}

// A Pair is the interaction of two parts on a split: effect(a,b) − effect(a) − effect(b).
type Pair struct {
	A, B  int // places in Plan.Parts
	Split string
	Effect
}

// A Credit has an EAP's posterior mean, and the mean effect of its calls over the programs that
// call it, on the training split.
type Credit struct {
	EAP       int
	Name      string
	Posterior float64
	Effect    float64 // score lost without its calls, in the task's unit
	Programs  int     // programs that run without its calls
	Needed    int     // programs that do not run without its calls
}

// Programs estimates how many programs Measure scores. The exact number is smaller if parts are
// needed to run or overlap, and larger if the first knock-out of a part does not run.
func (p Plan) Programs() int {
	n := len(p.Parts.Parts)
	all := 1 + n + (len(p.Splits)-1)*(1+min(p.Top, n))
	if p.Default {
		all++
	}
	if top := min(Paired, n); p.Pairs {
		all += len(p.Splits) * top * (top - 1) / 2
	}
	for _, c := range p.Callers {
		all += 1 + len(c.EAPs)
	}
	return all
}

// Measure scores a plan's jobs, in an order that depends only on the plan and the measured values.
// score returns one Measurement for each job.
func Measure(p Plan, score func([]Job) ([]Measurement, error)) (*Explained, error) {
	e := &Explained{
		Plan: p, Effects: map[string][]Effect{}, Gain: math.NaN(),
		Ways: slices.Repeat([]int{-1}, len(p.Parts.Parts)), known: map[string]Measurement{},
	}
	measure := func(jobs []Job) error {
		done, err := score(jobs)
		if err != nil {
			return err
		}
		for i, j := range jobs {
			whole := len(e.values(Job{Split: j.Split}))
			if n := len(done[i].Values); n > 0 && whole > 0 && n != whole {
				return fmt.Errorf("%v has %d values, but the program has %d", j, n, whole)
			}
			e.known[j.String()] = done[i]
		}
		return nil
	}
	train := p.Splits[0]
	whole := Job{Split: train}
	jobs := []Job{whole}
	if p.Default {
		jobs = append(jobs, Job{Split: train, Default: true})
	}
	if err := measure(jobs); err != nil {
		return nil, err
	}
	if fault := e.known[whole.String()].Fault; fault != "" {
		return nil, fmt.Errorf("the program has no score on %s: %s", train, fault)
	}
	if d := e.differences(whole, Job{Split: train, Default: true}); d != nil {
		e.Gain = record.Mean(d)
	}
	for way := range 2 {
		jobs = nil
		for i, part := range p.Parts.Parts {
			if e.Ways[i] < 0 && way < len(part.Ways) {
				jobs = append(jobs, Job{Split: train, Out: [][2]int{{i, way}}})
			}
		}
		if err := measure(jobs); err != nil {
			return nil, err
		}
		for _, j := range jobs {
			if e.values(j) != nil {
				e.Ways[j.Out[0][0]] = way
			}
		}
	}
	e.effects(train)
	for _, split := range p.Splits[1:] {
		jobs = []Job{{Split: split}}
		for _, i := range e.largest(p.Top) {
			jobs = append(jobs, e.without(split, i))
		}
		if err := measure(jobs); err != nil {
			return nil, err
		}
		if e.values(jobs[0]) != nil { // otherwise nothing can be compared on this split
			e.effects(split)
		}
	}
	if p.Pairs {
		if err := measure(e.pairs()); err != nil {
			return nil, err
		}
		e.interactions()
	}
	jobs = nil
	for i, c := range p.Callers {
		for drop := range len(c.EAPs) + 1 {
			jobs = append(jobs, Job{Split: train, Caller: i + 1, Drop: drop})
		}
	}
	err := measure(jobs)
	e.credit()
	return e, err
}

// values returns the values of a job, or nil if it was not measured or failed.
func (e *Explained) values(j Job) []float64 { return e.known[j.String()].Values }

// without returns the job that leaves parts out.
func (e *Explained) without(split string, parts ...int) Job {
	j := Job{Split: split}
	for _, i := range parts {
		j.Out = append(j.Out, [2]int{i, e.Ways[i]})
	}
	return j
}

// raw returns for each instance how much higher the score of one job is than the score of another;
// nil if one of the jobs has no values.
func (e *Explained) raw(of, than Job) []float64 {
	a, b := e.values(of), e.values(than)
	if len(a) != len(b) || len(a) == 0 {
		return nil
	}
	d := make([]float64, len(a))
	for i := range a {
		if d[i] = b[i] - a[i]; e.Maximized {
			d[i] = a[i] - b[i]
		}
	}
	return d
}

// differences is raw without differences that rounding explains, as in the tables of reports.
func (e *Explained) differences(of, than Job) []float64 {
	d, a, b := e.raw(of, than), e.values(of), e.values(than)
	for i := range d {
		if results.Tolerance(0).Compare(a[i], b[i]) == 0 {
			d[i] = 0
		}
	}
	return d
}

// effects computes the effects of all parts whose knock-outs have values on a split.
func (e *Explained) effects(split string) {
	out := slices.Repeat([]Effect{unmeasured}, len(e.Ways))
	all := make([]*Effect, len(out))
	for i := range out {
		if d := e.differences(Job{Split: split}, e.without(split, i)); d != nil {
			out[i] = newEffect(d, e.stream(split, i))
		}
		all[i] = &out[i]
	}
	family(all)
	e.Effects[split] = out
}

func (e *Explained) stream(split string, parts ...int) string {
	return fmt.Sprint(e.Program, split, parts)
}

// largest returns the places of the n parts with the largest effects on training, in the order of
// the parts. The lines of explain.jsonl depend on it, so it uses raw, which never changes.
func (e *Explained) largest(n int) (out []int) {
	train, size := e.Splits[0], make([]float64, len(e.Ways))
	for i, way := range e.Ways {
		if way >= 0 {
			out = append(out, i)
			size[i] = math.Abs(stat.Mean(e.raw(Job{Split: train}, e.without(train, i)), nil))
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
	out = out[:min(n, len(out))]
	slices.Sort(out)
	return out
}

// pairs returns the jobs that leave out two of the parts with the largest effects, on each split on
// which the program has a score. It skips pairs whose knock-outs overlap, because overlapping parts
// have no interaction.
func (e *Explained) pairs() (jobs []Job) {
	top := e.largest(Paired)
	for i, a := range top {
		for _, b := range top[i+1:] {
			x, y := e.Plan.Parts.Parts[a].Ways[e.Ways[a]], e.Plan.Parts.Parts[b].Ways[e.Ways[b]]
			for _, split := range e.Splits {
				if (x.End <= y.Start || y.End <= x.Start) && e.values(Job{Split: split}) != nil {
					jobs = append(jobs, e.without(split, a, b))
				}
			}
		}
	}
	return jobs
}

// interactions computes the interactions of pairs on each split. It leaves out a pair if the
// program fails on the split without one of the parts or without both.
func (e *Explained) interactions() {
	for _, split := range e.Splits {
		from := len(e.Pairs)
		for _, j := range e.pairs() {
			a, b := j.Out[0][0], j.Out[1][0]
			both := e.differences(Job{Split: split}, j)
			x := e.differences(Job{Split: split}, e.without(split, a))
			y := e.differences(Job{Split: split}, e.without(split, b))
			if j.Split != split || both == nil || x == nil || y == nil {
				continue
			}
			for i := range both {
				both[i] -= x[i] + y[i]
			}
			e.Pairs = append(e.Pairs, Pair{a, b, split, newEffect(both, e.stream(split, a, b))})
		}
		var all []*Effect
		for i := range e.Pairs[from:] {
			all = append(all, &e.Pairs[from+i].Effect)
		}
		family(all)
	}
}

// credit computes the mean effects of the calls of EAPs.
func (e *Explained) credit() {
	byEAP := map[int]*Credit{}
	for i, c := range e.Callers {
		whole := Job{Split: e.Splits[0], Caller: i + 1}
		if len(e.values(whole)) == 0 {
			continue // the program itself failed this time, for instance at a time limit
		}
		for k, p := range c.EAPs {
			if byEAP[p.EAP] == nil {
				byEAP[p.EAP] = &Credit{
					EAP: p.EAP, Name: p.Name, Posterior: p.Alpha / (p.Alpha + p.Beta),
				}
			}
			one, less := byEAP[p.EAP], whole
			less.Drop = k + 1
			if d := e.differences(whole, less); d != nil {
				one.Programs++
				one.Effect += record.Mean(d)
			} else {
				one.Needed++
			}
		}
	}
	for _, one := range byEAP {
		one.Effect /= float64(one.Programs) // NaN: no program runs without it
		e.Credit = append(e.Credit, *one)
	}
	slices.SortFunc(e.Credit, func(a, b Credit) int { return cmp.Compare(a.EAP, b.EAP) })
}

// Shown returns the effect of a part that tables and pages show, and its split: the first split
// after training on which the part was measured, because the search did not use that split, and
// otherwise training. Mean is NaN for a part that the program needs to run.
func (e *Explained) Shown(part int) (effect Effect, split string) {
	for _, split := range e.Splits[1:] {
		if all := e.Effects[split]; all != nil && !math.IsNaN(all[part].Mean) {
			return all[part], split
		}
	}
	return e.Effects[e.Splits[0]][part], e.Splits[0]
}

// Verdict describes a part's effect in a few words, for the margin of the program.
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

// Unchanged reports whether every value on every split on which the part was measured stays the
// same without the part.
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
	dead := slices.Clone(e.Unreachable)
	for i, part := range e.Plan.Parts.Parts {
		if e.Unchanged(i) {
			dead = append(dead, part.Removes...)
		}
	}
	slices.Sort(dead)
	return min(len(slices.Compact(dead)), e.Statements), e.Statements
}

// Significant returns how many parts have shown effects that differ from 0, and the largest effect
// of these parts in training as a share of Gain; ok is false if the share is unknown.
func (e *Explained) Significant() (n int, largest float64, ok bool) {
	most := 0.0
	for i := range e.Ways {
		if x, _ := e.Shown(i); x.Significant() {
			n++
			if training := e.Effects[e.Splits[0]][i].Mean; training > most {
				most = training
			}
		}
	}
	return n, most / e.Gain, most > 0 && e.Gain > 0
}

// Read reads the explanation of a run's best program; nil if the run was not explained. Errors name
// the file.
func Read(dir, digest string) (*Explained, error) {
	path := filepath.Join(dir, record.ExplainFile)
	p, known, _, err := Known(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e, err := Measure(p, func(jobs []Job) ([]Measurement, error) {
		if len(jobs) > len(known) {
			return nil, errors.New("the file ends before its last measurement")
		}
		done := known[:len(jobs)]
		known = known[len(jobs):]
		return done, Due(done, jobs)
	})
	switch {
	case err == nil && len(known) > 0:
		err = errors.New("there is data after its last measurement")
	case err == nil && p.Journal != digest:
		err = errors.New("the file belongs to another journal")
	}
	if err != nil {
		return nil, hint.Add(fmt.Errorf("%s: %w", path, err),
			"run pacebench explain on this run again")
	}
	return e, nil
}

// Due returns an error unless each measurement belongs to the job at its place.
func Due(done []Measurement, jobs []Job) error {
	for i, m := range done {
		if m.Job.String() != jobs[i].String() {
			return fmt.Errorf("the measurement of %v is not expected here", m.Job)
		}
	}
	return nil
}

// Known reads the plan and the measurements of a file, and returns random numbers that depend on
// all its bytes. It refuses a file with more splits, parts or values than an explanation can have.
func Known(path string) (p Plan, known []Measurement, random *rand.Rand, err error) {
	lines, _, err := journal.Read(path)
	if err != nil {
		return p, nil, nil, err
	}
	wrong := func(line int, format string, args ...any) (Plan, []Measurement, *rand.Rand, error) {
		return p, nil, nil, hint.Add(
			fmt.Errorf("%s:%d: %w", path, line, fmt.Errorf(format, args...)),
			"remove the file and run pacebench explain again")
	}
	if len(lines) == 0 {
		return wrong(1, "the file is empty")
	}
	if err := json.Unmarshal(lines[0], &p); err != nil {
		return wrong(1, "%w", hint.JSON(err))
	}
	switch n := len(p.Parts.Parts); {
	case p.Format != record.FormatVersion:
		return wrong(1, "format %d, this pacebench reads format %d", p.Format, record.FormatVersion)
	case len(p.Splits) == 0 || len(p.Splits) > 20 || p.Top < 0:
		return wrong(1, "it names no splits, or too many")
	case len(slices.Compact(slices.Sorted(slices.Values(p.Splits)))) < len(p.Splits):
		return wrong(1, "it names a split twice")
	case n > MaxParts || len(p.Callers) > MaxParts:
		return wrong(1, "more than %d parts", MaxParts)
	}
	for _, part := range p.Parts.Parts {
		if len(part.Ways) == 0 || len(part.Ways) > 2 {
			return wrong(1, "a part has %d knock-outs", len(part.Ways))
		}
	}
	digest := sha256.New()
	for i, line := range lines {
		fmt.Fprintf(digest, "%s\n", line)
		if i == 0 {
			continue
		}
		var m Measurement
		if err := json.Unmarshal(line, &m); err != nil {
			return wrong(i+1, "%w", hint.JSON(err))
		}
		if len(m.Values) > maxValues || (len(m.Values) == 0) == (m.Fault == "") {
			return wrong(i+1, "%d values, fault %q", len(m.Values), m.Fault)
		}
		known = append(known, m)
	}
	return p, known, rand.New(rand.NewChaCha8([32]byte(digest.Sum(nil)))), nil
}
