package suite

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite/status"
)

// SetTests parses --test for the run. A run without a method has only one program or policy. Such a
// run has no validation, because there is nothing to choose from.
func (p *Planned) SetTests(text string) (err error) {
	p.Tests, err = splitsOf(p.Task, text)
	if p.Method == nil {
		p.Tests = slices.DeleteFunc(p.Tests, func(s string) bool { return s == record.Val })
	}
	return err
}

// Cheap is the default of --test: the splits on which a test costs few training evaluations.
const Cheap = "cheap"

// cheapest is the cost, in training evaluations, up to which a split is cheap. It is a tenth of a
// usual search.
const cheapest = 100

// testCost returns the cost of testing a program on a split, in training evaluations.
func testCost(t *bench.Task, split string) float64 {
	name, _, _ := strings.Cut(t.Name, "@")
	if cost, ok := data.ExpectedCosts().Tasks[name].Tests[split]; ok {
		return cost
	}
	s, _ := t.Split(split)
	return float64(s.Instances) / float64(max(1, t.Splits[0].Instances))
}

// splitsOf parses --test: cheap, all, none, or names separated by commas. The validation split
// comes first. It is not cheap, because ten programs are validated.
func splitsOf(t *bench.Task, text string) ([]string, error) {
	all := SplitNames(t)[1:]
	switch text {
	case Cheap:
		return slices.DeleteFunc(all, func(s string) bool {
			return s == record.Val || testCost(t, s) > cheapest
		}), nil
	case "all":
		return all, nil
	case "none":
		return nil, nil
	}
	names := strings.Split(text, ",")
	for i, n := range names {
		if !slices.Contains(all, n) {
			return nil, hint.Add(Usagef("--test %s: %s has no test split %q", text, t.Name, n),
				DidYouMean(n, all)+"use cheap, all, none, or some of "+strings.Join(all, ","))
		}
		if slices.Contains(names[:i], n) {
			return nil, Usagef("--test %s: %s appears twice", text, n)
		}
	}
	slices.SortStableFunc(names, func(a, b string) int {
		return cmp.Compare(slices.Index(all, a), slices.Index(all, b))
	})
	return names, nil
}

// SplitNames returns the names of a task's splits: the training split, the validation split if
// there is one, then the test splits.
func SplitNames(t *bench.Task) []string {
	names := Map(t.Splits, func(s bench.Split) string { return s.Name })
	if t.Val != nil {
		names = slices.Insert(names, 1, t.Val.Name)
	}
	return names
}

// TestSeconds returns the seconds that one worker needs after a search for the re-evaluation, the
// validation and the tests, and the longest part that cannot be divided among workers. evaluation
// is the time of one training evaluation in seconds.
func (p *Planned) TestSeconds(evaluation float64) (all, longest float64) {
	if r := p.Task.Rescore; r != nil {
		all += float64(r.Top * r.Replicates)
	}
	for _, split := range p.Tests {
		cost := testCost(p.Task, split)
		longest = max(longest, cost)
		if split == record.Val {
			cost *= record.Validated
		}
		all += cost
	}
	return all * evaluation, longest * evaluation
}

// testing describes the tests of a search in dir for the display: their names, their estimated
// time, and the splits that are left out.
func (p *Planned) testing(o Options, dir string) string {
	text := strings.Join(p.Tests, ", ")
	evaluation := 0.0
	if t := timesOf(dir); t.evaluated > 0 {
		evaluation = t.worker / t.evaluated
	}
	if all, longest := p.TestSeconds(evaluation); all > 0 {
		text += ", about " + status.Seconds(time.Duration(
			max(all/float64(max(1, o.Jobs)), longest)*float64(time.Second)))
	} else {
		text += "; the time is unknown"
	}
	costly := slices.DeleteFunc(SplitNames(p.Task)[1:], func(s string) bool {
		return s == record.Val || slices.Contains(p.Tests, s)
	})
	if o.Test == Cheap && !o.Given["test"] && len(costly) > 0 {
		text += "; not on " + strings.Join(costly, ", ") + ", which --test all adds"
	}
	return text
}
