package pytask

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// oddAnswers are candidates that answer wrongly. An answer of the kind that the template returns
// may still be right.
var oddAnswers = []struct{ name, kind, body string }{
	{"None", "NoneType", "return None"},
	{"NaN", "number", "return float('nan')"},
	{"-1", "number", "return -1"},
	{"a huge index", "number", "return 10**9"},
	{"an array of another shape", "sequence", "return numpy.zeros((3, 5, 7))"},
	{"a text", "text", "return 'nothing'"},
	{"a nested list of 10⁷", "sequence", "return [[0] * 1000] * 10_000"},
	{"a dict that says it is long", "dict", "return Long()"},
	{"an object", "", "return object()"},
	{"a generator", "", "return (x for x in ())"},
	{"its arguments", "sequence", "return args[0] if len(args) == 1 else args"},
	{"an exception", "", "raise ValueError('nothing')"},
}

const oddBegins = `import numpy

class Long(dict):
    def __len__(self):
        return 10**9

`

// first returns the task with only its first training instance.
func (k *checker) first() *bench.Task {
	t := *k.task
	t.Splits = slices.Clone(t.Splits[:1])
	t.Splits[0].Instances = 1
	return &t
}

// answers scores oddAnswers on the first instance. A wrong answer must be a fault, and an answer
// that may be right must not beat the known programs.
func (k *checker) answers(ctx context.Context, hosts bench.Hosts) error {
	k.progress("trying wrong answers")
	t := k.first()
	best, known := 0.0, false
	for _, p := range k.programs {
		v, ok := k.base.numbers[p.name+" on "+instance(t.Splits[0].Name, 0)]
		if ok && (!known || t.Goal.Score(v) > t.Goal.Score(best)) {
			best, known = v, true
		}
	}
	faults, scores, tripped := 0, 0, map[string][]string{} // answers by the exception they caused
	for _, z := range oddAnswers {
		source := fmt.Sprintf("%sdef %s(*args, **names):\n    %s\n", oddBegins, t.Template.Name,
			z.body)
		e := &bench.TaskEvaluator{Task: t, Loader: k.loader, Hosts: hosts}
		o, err := e.Evaluate(ctx, program.Program{Source: source})
		if errors.Is(err, bench.ErrScorer) {
			_ = k.broken(ofAnswers, z.name, err) // the failure is the task's
			continue
		}
		if err != nil {
			return err
		}
		if o.Fault != nil {
			faults++
			if why, is := strings.CutPrefix(o.Fault.Detail, record.Unusable); is {
				tripped[why] = append(tripped[why], z.name)
			}
			continue
		}
		scores++
		value := t.Goal.Value(o.Score)
		switch {
		case k.file.Task.Adapter == "" && !slices.Contains(k.base.answers, z.kind):
			k.wrong(ofAnswers, "%s has a score, %v: check every answer before you use it",
				z.name, value)
		case known && o.Score > t.Goal.Score(best) && len(t.References) > 0:
			k.wrong(ofAnswers, "%s scores %v on the first instance, better than the template and "+
				"the references, the best of which scores %v", z.name, value, best)
		default:
			k.note(ofAnswers, "%s has a score, %v", z.name, value)
		}
	}
	k.in(ofAnswers).Did = fmt.Sprintf("%d of %d are faults", faults, len(oddAnswers))
	for _, why := range slices.Sorted(maps.Keys(tripped)) {
		k.note(ofAnswers, "the task raises an error for %s: %s",
			strings.Join(tripped[why], ", "), why)
	}
	return nil
}

// scribbling is added to the end of a program. It makes the program's function overwrite its
// arguments after each answer. It spares the first call's arguments, and arguments that are the
// same objects as in the call before, because the task may have kept them with the candidate.
const scribbling = `

def scribble(value, level=0):
    import numpy
    if isinstance(value, numpy.ndarray):
        if value.size and value.flags.writeable:
            value[...] = True if value.dtype.kind == "b" else 99
    elif isinstance(value, list):
        for part in value[:1000] if level < 8 else ():
            scribble(part, level + 1)
        value[:] = [99] * len(value)
    elif isinstance(value, dict):
        for part in value.values() if level < 8 else ():
            scribble(part, level + 1)
        value.clear()
    elif isinstance(value, tuple) and level < 8:
        for part in value[:1000]:
            scribble(part, level + 1)


def scribbling(honest):
    import copy
    before = []

    def answer(*args, **names):
        given = [*args, *names.values()]
        value = copy.deepcopy(honest(*args, **names))
        for one in given:
            if before and not any(one is other for other in before):
                scribble(one)
        before[:] = given
        return value

    return answer


%[1]s = scribbling(%[1]s)
`

func (k *checker) arguments(ctx context.Context, hosts bench.Hosts) error {
	k.progress("writing into arguments")
	train := k.task.Splits[0]
	p := k.programs[len(k.programs)-1]
	t := *k.task
	train.Instances = k.within(fewCalls, train)
	t.Splits = []bench.Split{train}
	e := &bench.TaskEvaluator{Task: &t, Loader: k.loader, Hosts: hosts}
	o, err := e.Evaluate(ctx, program.Program{
		Source: p.source + fmt.Sprintf(scribbling, k.task.Template.Name),
	})
	if err = k.broken(ofArguments, p.name, err); err != nil {
		return err
	}
	k.in(ofArguments).Did = p.name + " overwrites its arguments after each answer"
	for n := range train.Instances {
		was, ok := k.base.numbers[p.name+" on "+instance(train.Name, n)]
		if !ok {
			break
		}
		if o.Fault != nil || o.Values[n] != was {
			now := any(o.Fault)
			if o.Fault == nil {
				now = o.Values[n]
			}
			k.wrong(ofArguments, "%s on %s is %v, and %v when it writes into its arguments",
				p.name, instance(train.Name, n), was, now)
			break
		}
	}
	return nil
}

// slow is the time of an evaluation above which check-task warns, because a search of 1000 such
// evaluations takes more than an hour.
const slow = 5 * time.Second

func (k *checker) costs() {
	var lines []string
	var slowest time.Duration // evaluation
	for _, p := range k.programs {
		var sum measurement
		low, high, n := 0, 0, 0
		for i := range k.task.Splits[0].Instances {
			m, ok := k.base.costs[p.name][instance(k.task.Splits[0].Name, i)]
			if !ok {
				continue
			}
			if n == 0 || m.calls < low {
				low = m.calls
			}
			high = max(high, m.calls)
			n++
			sum.out, sum.back, sum.wall = sum.out+m.out, sum.back+m.back, sum.wall+m.wall
			sum.scorer, sum.candidate = sum.scorer+m.scorer, sum.candidate+m.candidate
		}
		if n == 0 {
			continue
		}
		calls := fmt.Sprint(low)
		if high > low {
			calls += fmt.Sprintf("–%d", high)
		}
		per := time.Duration(n)
		slowest = max(slowest, sum.wall/per*time.Duration(k.task.Splits[0].Instances))
		share := float64(sum.candidate) / float64(n) / float64(k.share(k.task.Splits[0]))
		lines = append(lines, fmt.Sprintf("%s: %s calls an instance, %s to the candidate and "+
			"%s back; %v, of which scorer %v, candidate %v; %.1f %% of the limit on CPU time",
			p.name, calls, size(float64(sum.out)/float64(n)), size(float64(sum.back)/float64(n)),
			round(sum.wall/per), round(sum.scorer/per), round(sum.candidate/per), 100*share))
	}
	if len(lines) > 0 {
		f := k.in(ofCosts)
		f.Did, f.Notes = lines[0], append(f.Notes, lines[1:]...)
		k.note(ofCosts, "1000 evaluations of %v, one after another, take %.2g hours",
			round(slowest), 1000*slowest.Hours())
		if slowest > slow {
			k.note(ofCosts, "an evaluation takes more than %v: fewer instances in train, or "+
				"--jobs, shorten a search", slow)
		}
	}
}

func round(d time.Duration) time.Duration {
	if d > time.Second {
		return d.Round(10 * time.Millisecond)
	}
	return d.Round(100 * time.Microsecond)
}

func size(bytes float64) string {
	if bytes < 1000 {
		return fmt.Sprintf("%.0f bytes", bytes)
	}
	return fmt.Sprintf("%.4g kB", bytes/1e3)
}
