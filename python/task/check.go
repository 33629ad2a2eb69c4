package pytask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
)

// A Finding is the result of one group of checks of a task file.
type Finding struct {
	Check string   // "instances"
	Did   string   // what was checked
	Wrong []string // empty: the task passes
	Notes []string // what an author may want to know
	again int      // failures that an earlier finding reports in full
}

// Candidates calls use with a loader for the task's candidates.
type Candidates func(t *bench.Task, use func(bench.Loader) error) error

// Check tries a task file. It checks that scores do not depend on the clock, the process, the load
// of the machine or the order of instances, and that wrong answers get no score. It reports its
// progress. The error says that the file is no task, or that the machine failed.
func Check(ctx context.Context, path string, o Options, at Candidates, progress func(string)) (
	findings []Finding, err error) {
	progress("importing the file")
	f, err := read(ctx, path, o)
	if err != nil {
		return nil, err
	}
	t, err := f.task()
	if err != nil {
		return nil, err
	}
	t.Scorer = f.scorer(f.Packages, f.Task.Files, &watch{})
	err = at(t, func(l bench.Loader) error {
		k := &checker{
			file: f, task: t, loader: l, progress: progress,
			found: map[string]*Finding{}, failed: map[string]bool{},
		}
		k.programs = append(k.programs, named{"template", t.Default()})
		for _, r := range t.References {
			k.programs = append(k.programs, named{r.Name, r.Source})
		}
		if err := k.run(ctx); err != nil {
			return err
		}
		findings = k.findings()
		return nil
	})
	return findings, err
}

// A named program is the template or a reference.
type named struct{ name, source string }

// The groups of checks, in the order of the report.
const (
	ofFile      = "file"
	ofInstances = "instances"
	ofScores    = "scores"
	ofOrder     = "order"
	ofAnswers   = "wrong answers"
	ofArguments = "arguments"
	ofPictures  = "pictures"
	ofCosts     = "costs"
)

// A checker tries one task.
type checker struct {
	file     *file
	task     *bench.Task
	loader   bench.Loader
	progress func(string)
	programs []named
	base     *observation
	found    map[string]*Finding
	failed   map[string]bool // by the text of the failure
}

func (k *checker) in(group string) *Finding {
	if k.found[group] == nil {
		k.found[group] = &Finding{Check: group}
	}
	return k.found[group]
}

func (k *checker) wrong(group, format string, args ...any) {
	f := k.in(group)
	f.Wrong = append(f.Wrong, fmt.Sprintf(format, args...))
}

// once adds a failure that many programs and groups may have: only the first one is reported in
// full.
func (k *checker) once(group, failure, format string, args ...any) {
	if k.failed[failure] {
		k.in(group).again++
		return
	}
	k.failed[failure] = true
	k.wrong(group, format, args...)
}

func (k *checker) note(group, format string, args ...any) {
	f := k.in(group)
	f.Notes = append(f.Notes, fmt.Sprintf(format, args...))
}

func (k *checker) findings() (list []Finding) {
	for _, group := range []string{ofFile, ofInstances, ofScores, ofOrder, ofAnswers, ofArguments,
		ofPictures, ofCosts} {
		if f := k.found[group]; f != nil {
			if f.again > 0 {
				f.Wrong = append(f.Wrong, "the same failure "+hint.Counted(f.again, "more time"))
			}
			list = append(list, *f)
		}
	}
	return list
}

// run does all checks. The first observation is as in a run. The second changes all conditions
// together; if it differs, run changes one condition after the other.
func (k *checker) run(ctx context.Context) (err error) {
	k.text()
	k.progress("scoring template and references")
	k.base, err = k.observe(ctx, condition{tests: true}, k.programs, func(hosts bench.Hosts) error {
		if err := k.answers(ctx, hosts); err != nil {
			return err
		}
		if err := k.arguments(ctx, hosts); err != nil {
			return err
		}
		return k.pictures(ctx, hosts)
	})
	if err != nil {
		return err
	}
	k.instances()
	k.known()
	k.places()
	k.costs()
	k.progress("scoring again, with all conditions changed")
	otherwise := condition{hash: 1, crooked: true, turned: true, busy: true, most: fewCalls}
	second, err := k.observe(ctx, otherwise, k.programs, nil)
	if err != nil {
		return err
	}
	if k.base.differs(second) != nil {
		err = k.attribute(ctx)
	}
	for seed := 2; seed <= 3 && err == nil && len(k.in(ofScores).Wrong) == 0; seed++ {
		var o *observation
		c := condition{hash: seed, most: fewCalls}
		if o, err = k.observe(ctx, c, k.programs[:1], nil); err == nil {
			k.tell(byHash, k.base.differs(o))
		}
	}
	return err
}

// mostCalls is roughly how many calls a program gets in training, and fewCalls in a test and in a
// repeated scoring. An instance is always scored whole, and so is an evaluation whose value is
// known. These limits keep a check of the examples below a minute.
const (
	mostCalls = 10_000
	fewCalls  = 5_000
)

func (k *checker) text() {
	t := &k.task.Template
	var left []string
	for _, p := range t.Params {
		if !regexp.MustCompile(`\b` + regexp.QuoteMeta(p.Name) + `\b`).MatchString(t.Doc) {
			left = append(left, p.Name)
		}
	}
	if len(left) > 0 {
		k.wrong(ofFile, "the docstring of %s does not say what %s is", t.Name,
			strings.Join(left, ", "))
	}
	if len(t.Params) > 0 && t.Returns == "" {
		k.note(ofFile, "the template has no type for what it returns")
	}
	k.in(ofFile).Did = fmt.Sprintf("%s, %s; %s", hint.Counted(len(k.task.Splits), "split"),
		hint.Counted(len(k.task.References), "reference"), hint.Counted(len(k.task.Files), "file"))
}

// instances looks for training instances among the tests. If the file makes no instances, either
// its score draws them from the number, or all numbers are the same problem, so that a test adds
// nothing.
func (k *checker) instances() {
	train, at, count := k.task.Splits[0], map[string]string{}, 0
	fixed := k.file.Task.Drawn
	for n := range train.Instances {
		name := instance(train.Name, n)
		at[k.base.values[name]] = name
		fixed = fixed && k.alike(instance(train.Name, 0), name)
	}
	for _, s := range k.task.Splits {
		count += s.Instances
		for n := range s.Instances {
			name := instance(s.Name, n)
			old, same := at[k.base.values[name]]
			if s.Name == train.Name || !same || k.file.Task.Drawn && !k.alike(old, name) {
				continue
			}
			if fixed {
				k.note(ofInstances, "%s repeats the one problem of training, so it adds no "+
					"information", s.Name)
				break
			}
			k.wrong(ofInstances, "%s is the same as %s", name, old)
		}
	}
	k.in(ofInstances).Did = hint.Counted(count, "instance") + ", made in two processes"
}

// alike reports whether the template has the same value on two instances.
func (k *checker) alike(a, b string) bool {
	name := k.programs[0].name
	was, ok := k.base.values[name+" on "+a]
	return ok && was == k.base.values[name+" on "+b]
}

func (k *checker) known() {
	var values []string
	for _, p := range k.programs {
		m, n := k.base.mean(p.name, k.task.Splits[0])
		if n == 0 {
			continue
		}
		text := fmt.Sprintf("%s %.*f", p.name, k.task.Label.Digits, m)
		if n < k.task.Splits[0].Instances {
			text += fmt.Sprintf(" (%d of %d)", n, k.task.Splits[0].Instances)
		}
		values = append(values, text)
	}
	k.in(ofScores).Did = cmp.Or(strings.Join(values, ", "), "none")
	var left []string
	for _, s := range k.task.Splits {
		if k.lengthy(s) {
			left = append(left, s.Name)
		}
	}
	if len(left) > 0 {
		k.note(ofScores, "not scored, because an instance may take more than %d times as long as "+
			"a training instance: %s", longer, strings.Join(left, ", "))
	}
	for _, r := range k.file.Task.References {
		s, _ := k.task.Split(r.Split)
		m, n := k.base.mean(r.Name, s)
		if r.Value == nil || n < s.Instances {
			continue
		}
		_, decimals, _ := strings.Cut(strconv.FormatFloat(*r.Value, 'f', -1, 64), ".")
		if math.Abs(m-*r.Value) > 0.5*math.Pow10(-len(decimals))*(1+1e-9) ||
			len(decimals) > 0 && math.Abs(m-*r.Value) > 1e-3*math.Abs(*r.Value) {
			k.wrong(ofScores, "%s has the value %v on %s, but the file says %v",
				r.Name, m, r.Split, *r.Value)
		}
	}
}

func (k *checker) places() {
	seen := k.base.seen
	for _, path := range slices.Sorted(maps.Keys(seen["reads"])) {
		k.wrong(ofFile, "%s reads %s, which is not one of its files: name it in Task(files=...)",
			seen["reads"][path], path)
	}
	for what, says := range map[string]string{
		"clock": "reads the clock", "entropy": "asks the system for entropy",
		"network": "connects to the network", "writes": "writes to a file",
	} {
		if len(seen[what]) > 0 {
			k.note(ofScores, "%s: %s", says, k.base.where(what))
		}
	}
	slices.Sort(k.in(ofScores).Notes)
}

// A cause is one thing that differs between two observations.
type cause struct {
	condition
	group string
	says  string // follows "and 5.2" in the message
}

var byHash = cause{condition{hash: 1}, ofScores,
	"with other hashes of strings: it depends on the order of a set, or on hash()"}

// attribute changes one condition after the other, and reports which of them matters.
func (k *checker) attribute(ctx context.Context) error {
	k.progress("looking for what made a difference")
	look := func(c cause) (bool, error) {
		c.most = fewCalls
		o, err := k.observe(ctx, c.condition, k.programs, nil)
		if err != nil {
			return false, err
		}
		if c.crooked && len(o.seen["clock"]) > 0 {
			c.says += " (" + o.where("clock") + ")"
		}
		differing := k.base.differs(o)
		k.tell(c, differing)
		return differing != nil, nil
	}
	from := "it depends on the clock, on entropy of the system, on the process or on a file that " +
		"it writes"
	for what, says := range map[string]string{
		"clock": "the clock", "entropy": "entropy of the system", "writes": "a file that it writes",
	} {
		if len(k.base.seen[what]) > 0 {
			from = "it depends on " + says + " (" + k.base.where(what) + ")"
		}
	}
	again, err := look(cause{condition{}, ofScores, "in a second process: " + from})
	if again {
		for _, group := range []string{ofOrder, ofArguments} {
			k.in(group).Wrong = nil // scores that differ anyway show nothing
		}
		return nil
	}
	found := false
	for _, c := range []cause{
		byHash,
		{condition{crooked: true}, ofScores, "with another clock: it depends on the clock"},
		{condition{turned: true}, ofOrder, k.turned()},
		{condition{busy: true}, ofScores,
			"while other programs run: it depends on the load of the machine"},
	} {
		if err != nil {
			return err
		}
		var differs bool
		differs, err = look(c)
		found = found || differs
	}
	if !found && err == nil {
		k.wrong(ofScores, "scores sometimes differ from process to process")
	}
	return err
}

// turned describes the effect of condition.turned.
func (k *checker) turned() string {
	if k.task.Isolated {
		return "after other instances: it depends on state that earlier instances leave"
	}
	return "without the instances before it: it depends on the order of instances, through " +
		"a global, a cache or a generator"
}

// tell reports the differences that a cause makes.
func (k *checker) tell(c cause, differing []difference) {
	for _, group := range []string{ofInstances, c.group} {
		count, first := 0, difference{}
		for _, d := range differing {
			if strings.Contains(d.what, " on ") == (group != ofInstances) {
				if count++; count == 1 {
					first = d
				}
			}
		}
		if count == 0 {
			continue
		}
		more := ""
		if count > 1 {
			more = fmt.Sprintf(" (the first of %d differences)", count)
		}
		if group == ofInstances {
			k.wrong(group, "%s differs%s %s", first.what, more, c.says)
		} else {
			k.wrong(group, "%s is %s, and %s%s %s", first.what, first.was, first.now, more, c.says)
		}
	}
}

// twice scores the first instance twice in one process: a score that keeps state gives two values.
// It comes before all other scoring, because it measures what an instance costs.
func (k *checker) twice(ctx context.Context, hosts bench.Hosts) error {
	t := *k.task
	t.Isolated, t.Splits = false, slices.Clone(t.Splits)
	t.Splits[0].Instances = 2
	p := k.programs[0]
	look := k.base.scoring(p.name, false, 2)
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		in.Number = 0
		return look(ctx, in, f)
	}
	k.in(ofOrder).Did = "one instance after the other, and the first one twice"
	e := &bench.TaskEvaluator{Task: &t, Loader: k.loader, Hosts: hosts}
	o, err := e.Evaluate(ctx, program.Program{Source: p.source})
	if v := o.Values; len(v) == 2 && v[0] != v[1] {
		k.wrong(ofOrder, "%s on %s is %v, and %v when it is scored again in one process: the "+
			"score depends on state between evaluations, in a global, a cache or a generator",
			p.name, instance(t.Splits[0].Name, 0), v[0], v[1])
	}
	return k.broken(ofOrder, p.name, err)
}

// broken turns a failure of the task's own code into a finding, and returns other errors.
func (k *checker) broken(group, what string, err error) error {
	if !errors.Is(err, bench.ErrScorer) {
		return err
	}
	text := strings.TrimPrefix(err.Error(), bench.ErrScorer.Error()+": ")
	k.once(group, text, "%s: the task fails: %s", what, text)
	return nil
}

func (k *checker) pictures(ctx context.Context, hosts bench.Hosts) error {
	e := &bench.TaskEvaluator{Task: k.task, Loader: k.loader, Hosts: hosts, Evidence: true}
	p, did := program.Program{Source: k.programs[0].source}, []string{}
	if k.task.Evidence != nil {
		o, err := e.Evaluate(ctx, p)
		if err = k.broken(ofPictures, "evidence", err); err != nil {
			return err
		}
		if o.Fault != nil {
			k.wrong(ofPictures, "evidence: %v", o.Fault)
		}
		count := 0
		for _, b := range o.Evidence {
			if b.MediaType != "text/plain" {
				count++
			}
		}
		if count == 0 {
			k.note(ofPictures, "the evidence has no picture, which mles needs")
		}
		did = append(did, fmt.Sprintf("evidence of %s", hint.Counted(len(o.Evidence), "piece")))
	}
	if k.task.Pictures != "" {
		count := 0
		_, fault, err := e.Film(ctx, k.task.Splits[0].Name, 0, p, bench.Film{
			Every: 1, Show: func(bench.Picture) error { count++; return nil },
		})
		if err = k.broken(ofPictures, "film", err); err != nil {
			return err
		}
		switch {
		case fault != nil:
			k.wrong(ofPictures, "film: %v", fault)
		case count == 0:
			k.wrong(ofPictures, "the film shows no picture")
		}
		did = append(did, fmt.Sprintf("a film of %s", hint.Counted(count, "picture")))
	}
	if len(did) > 0 {
		k.in(ofPictures).Did = strings.Join(did, ", ")
	}
	return nil
}

func instance(split string, number int) string {
	return fmt.Sprintf("instance %d of %s", number, split)
}
