package pytask

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/python/host"
	"github.com/pacebench/pacebench/record"
)

// A condition defines how a task is observed; the zero condition is the condition of a run.
type condition struct {
	hash    int  // another seed of Python's string hashes
	crooked bool // clocks are wrong
	turned  bool // instances are made in reverse and scored one by one, or together if Isolated
	busy    bool // programs are scored concurrently, while a loop runs
	tests   bool // on the test splits, too
	most    int  // calls of a program on a split, roughly; 0: all
}

// An observation has the instances and scores of a task from one new process.
type observation struct {
	mu sync.Mutex // guards the other fields while programs are scored
	// values has the digests of instances by their names, and the values and faults of programs.
	values  map[string]string
	numbers map[string]float64                // values as numbers
	seen    map[string]map[string]string      // what watch.py saw: places, by kind and name
	answers []string                          // kinds of answers
	costs   map[string]map[string]measurement // by program and instance
}

// A measurement is the cost of scoring one instance.
type measurement struct {
	calls, out, back        int // calls, and bytes of arguments and answers
	scorer, candidate, wall time.Duration
}

// observe observes programs in a new process. Before the process ends, observe calls then, unless
// then is nil.
func (k *checker) observe(ctx context.Context, c condition, programs []named,
	then func(bench.Hosts) error) (*observation, error) {
	o := &observation{
		values: map[string]string{}, numbers: map[string]float64{},
		seen: map[string]map[string]string{}, costs: map[string]map[string]measurement{},
	}
	if k.base == nil {
		k.base = o
	}
	hosts := k.file.workers(ctx, host.Config{HashSeed: c.hash, Workers: 2})
	defer hosts.Close()
	t := *k.task
	if c.crooked {
		t.Scorer = k.file.scorer(k.file.Packages, k.file.Task.Files, &watch{Crooked: true})
	}
	err := hosts.Lend(ctx, t.Scorer, func(h bench.Host) error {
		var made map[string][]string
		err := ask(ctx, h, "digests", map[string]bool{"backwards": c.turned}, &made)
		for split, list := range made {
			for n, digest := range list {
				o.values[instance(split, n)] = digest
			}
		}
		return err
	})
	if err = k.broken(ofInstances, "the instances", err); err != nil {
		return nil, err
	}
	if c.turned {
		t.Isolated = !t.Isolated
	}
	if err == nil && k.base == o {
		err = k.twice(ctx, hosts)
	}
	if err != nil {
		return nil, err
	}
	score := func(p named) error { return k.score(ctx, c, o, t, hosts, p) }
	if c.busy {
		err = busily(programs, score)
	} else {
		for i := 0; i < len(programs) && err == nil; i++ {
			err = score(programs[i])
		}
	}
	if err == nil && then != nil {
		err = then(hosts)
	}
	return o, err
}

// spins is the length of the loop that loads the machine: several seconds of CPU time.
const spins = 1 << 28

// busily scores programs concurrently, while a loop loads the machine.
func busily(programs []named, score func(named) error) error {
	over, spun := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(spun)
		for range spins {
			select {
			case <-over:
				return
			default:
			}
		}
	}()
	errs := make([]error, len(programs))
	var wg sync.WaitGroup
	for i, p := range programs {
		wg.Go(func() { errs[i] = score(p) })
	}
	wg.Wait()
	close(over)
	<-spun
	return errors.Join(errs...)
}

// score scores one program on the instances that the condition names.
func (k *checker) score(ctx context.Context, c condition, o *observation, t bench.Task,
	hosts bench.Hosts, p named) error {
	splits, template := t.Splits[:1], p.name == k.programs[0].name
	if c.tests {
		splits = t.Splits
	}
	for i, s := range splits {
		most := c.most
		known := slices.ContainsFunc(k.file.Task.References, func(r reference) bool {
			return r.Name == p.name && r.Split == s.Name && r.Value != nil
		})
		if c.tests && !known {
			if i > 0 && (!template || k.lengthy(s)) {
				continue
			}
			if most = mostCalls; i > 0 {
				most = fewCalls
			}
		}
		if most > 0 {
			s.Instances = k.within(most, s)
			if c.turned && template { // the instances before it may matter
				s.Instances = min(2, t.Splits[i].Instances)
			}
		}
		task := t
		task.Splits = []bench.Split{s}
		task.Score = o.scoring(p.name, c.turned && !t.Isolated, s.Instances)
		e := &bench.TaskEvaluator{Task: &task, Loader: k.loader, Hosts: hosts}
		out, err := e.Evaluate(ctx, program.Program{Source: p.source})
		if err = k.broken(ofScores, p.name+" on "+s.Name, err); err != nil {
			return err
		}
		if out.Fault != nil && c == (condition{tests: true}) {
			k.once(ofScores, out.Fault.Error(), "%s has no score on %s: %s", p.name, s.Name,
				out.Fault)
		}
	}
	return nil
}

// lengthy reports whether an instance of a split may take so much longer than a training instance
// that a check leaves the split out.
func (k *checker) lengthy(s bench.Split) bool {
	return k.share(s) > longer*k.share(k.task.Splits[0])
}

// longer is the factor by which an instance of a split may take longer than a training instance
// before a check leaves the split out. With 5, a check is still short.
const longer = 5

// share returns the CPU time that the limit of a split leaves for an instance.
func (k *checker) share(s bench.Split) time.Duration {
	limit := cmp.Or(s.Limits.CPU, 30*time.Second)
	if k.task.Isolated {
		return limit
	}
	return limit / time.Duration(s.Instances)
}

// within returns the number of a split's instances that a program can score with at most most
// calls, but at least one. It assumes that each instance takes as many calls as the instance with
// the most calls so far.
func (k *checker) within(most int, s bench.Split) int {
	calls := 1
	for _, costs := range k.base.costs {
		for _, m := range costs {
			calls = max(calls, m.calls)
		}
	}
	return min(s.Instances, max(1, most/calls))
}

// scoring returns a Task.Score that records what it sees of a program.
func (o *observation) scoring(name string, backwards bool, instances int) func(
	context.Context, bench.Instance, bench.Target) (bench.Measure, error) {
	return func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		if backwards {
			in.Number = instances - 1 - in.Number
		}
		c := &counter{Target: f}
		start, scorer, candidate := time.Now(), in.Host.CPU(), f.CPU()
		m, err := score(ctx, in, c)
		c.wall, c.scorer = time.Since(start), in.Host.CPU()-scorer
		c.candidate = f.CPU() - candidate
		var fault *bench.Fault
		if err != nil && !errors.As(err, &fault) {
			return m, err
		}
		if err := o.look(ctx, in.Host); err != nil {
			return m, err
		}
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.costs[name] == nil {
			o.costs[name] = map[string]measurement{}
		}
		what := instance(in.Split, in.Number)
		o.costs[name][what] = c.measurement
		what = name + " on " + what
		if fault != nil {
			o.values[what] = fmt.Sprint(fault)
		} else {
			o.values[what], o.numbers[what] = fmt.Sprint(m.Value), m.Value
		}
		return m, err
	}
}

func (o *observation) look(ctx context.Context, h bench.Host) error {
	var recorded struct {
		Seen    map[string]map[string]string
		Answers []string
	}
	if err := ask(ctx, h, "seen", nil, &recorded); err != nil {
		return err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for what, places := range recorded.Seen {
		if o.seen[what] == nil {
			o.seen[what] = map[string]string{}
		}
		maps.Copy(o.seen[what], places)
	}
	for _, kind := range recorded.Answers {
		if !slices.Contains(o.answers, kind) {
			o.answers = append(o.answers, kind)
		}
	}
	return nil
}

// where returns up to three places in the task where something was seen.
func (o *observation) where(what string) string {
	places := slices.Compact(slices.Sorted(maps.Values(o.seen[what])))
	return strings.Join(places[:min(3, len(places))], ", ")
}

// mean returns a program's value on the first instances of a split, and how many were scored.
func (o *observation) mean(name string, s bench.Split) (value float64, instances int) {
	var list []float64
	for n := range s.Instances {
		v, ok := o.numbers[name+" on "+instance(s.Name, n)]
		if !ok {
			break
		}
		list = append(list, v)
	}
	return record.Mean(list), len(list)
}

// A difference is something that differs between two observations.
type difference struct{ what, was, now string }

func (o *observation) differs(other *observation) (list []difference) {
	for _, what := range slices.Sorted(maps.Keys(o.values)) {
		if now, ok := other.values[what]; ok && now != o.values[what] {
			list = append(list, difference{what, o.values[what], now})
		}
	}
	return list
}

// ask has scorer.py do a job whose result is JSON.
func ask(ctx context.Context, h bench.Host, function string, job, into any) error {
	list, err := call(ctx, h, function, job, nil)
	if err != nil {
		return err
	}
	text, _ := list[0].(bench.Array)
	return hint.JSON(json.Unmarshal(text.Data, into))
}

// A counter counts the calls of a candidate, and the bytes of arguments and answers.
type counter struct {
	bench.Target
	measurement
}

func (c *counter) Call(ctx context.Context, args ...bench.Value) (bench.Value, error) {
	c.calls++
	for _, a := range args {
		p, _ := a.(bench.Packed)
		c.out += len(p)
	}
	answer, err := c.Target.Call(ctx, args...)
	p, _ := answer.(bench.Packed)
	c.back += len(p)
	return answer, err
}
