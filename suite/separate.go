package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
)

func ruleOf(s *record.Separate) results.Rule {
	return results.Rule{Looks: s.Looks, Alpha: s.Alpha, Pairs: len(s.Pairs)}
}

func checkSeparate(where string, s *record.Separate) error {
	wrong := func(format string, args ...any) error {
		return hint.Add(Usagef("%s: %s", where, fmt.Sprintf(format, args...)),
			"pacebench docs suites shows an example of a rule")
	}
	for i, p := range s.Pairs {
		if len(p) != 2 || p[0] == p[1] {
			return wrong("pairs %d: want two different rows", i+1)
		}
		for _, q := range s.Pairs[:i] {
			if p[0] == q[0] && p[1] == q[1] || p[0] == q[1] && p[1] == q[0] {
				return wrong("pairs %d: %s and %s appear twice", i+1, p[0], p[1])
			}
		}
	}
	for i, n := range s.Looks {
		if n < 2 || n > MaxSeeds || i > 0 && n <= s.Looks[i-1] {
			return wrong("looks must ascend, from 2 to at most %d seeds", MaxSeeds)
		}
	}
	switch {
	case len(s.Pairs) == 0 || len(s.Looks) == 0:
		return wrong("pairs and looks must not be empty")
	case !(s.Alpha > 0 && s.Alpha < 1):
		return wrong("alpha = %g: must be between 0 and 1", s.Alpha)
	case !(s.MaxUSD >= 0) || math.IsInf(s.MaxUSD, 0):
		return wrong("max_usd = %g: must be a number of at least 0", s.MaxUSD)
	}
	most, level := s.Looks[len(s.Looks)-1], ruleOf(s).Level()
	if results.SmallestP(most, most) > level {
		return wrong("with %d seeds, the smallest possible p is %.2g, "+
			"and each look needs %.2g: use %d seeds",
			most, results.SmallestP(most, most), level, results.SeedsFor(level))
	}
	return nil
}

// A separatePlan is the plan of a suite with [separate]. It is written to the results directory
// before the first run, and again with the runs of each look.
type separatePlan struct {
	plan
	record.Declaration
	// Capped means that max_usd is spent, so that no further look follows.
	Capped bool `json:"capped,omitempty"`
}

// separation returns the runs with all seeds that the rule may need, and the plan.
func (s *Suite) separation(o Options) ([]*Planned, *separatePlan, error) {
	if s.Separate == nil {
		return nil, nil, hint.Add(Usagef("suite %s: no [separate]", s.Name),
			"pacebench docs suites shows an example of a rule")
	}
	last := s.Separate.Looks[len(s.Separate.Looks)-1]
	given := maps.Clone(o.Given)
	given["seeds"], o.Given, o.Seeds = true, given, fmt.Sprintf("1-%d", last)
	runs, err := s.Plan(o)
	if err != nil {
		return nil, nil, err
	}
	p := &separatePlan{plan: plan{Suite: s.Name}, Declaration: record.Declaration{
		Separate: *s.Separate, Rows: map[string]string{}, Headers: map[string]record.Header{},
	}}
	first := map[string]*Planned{} // by row
	for _, r := range runs {
		if r.Baseline == nil && r.Header.Seed == 1 {
			dir := filepath.ToSlash(filepath.Dir(RunDir("", r.Header)))
			if row := rowOf(r); p.Rows[row] == "" {
				p.Rows[row], first[row] = dir, r
			} else if p.Rows[row] != dir {
				return nil, nil, hint.Add(Usagef("suite %s: %s runs in %s and in %s", s.Name, row,
					p.Rows[row], dir), "[separate] is for one task and one model: "+
					"make a suite for each")
			}
			p.Task, p.Tolerance = r.Header.Task, r.Task.Label.Tolerance
		}
	}
	known := slices.Sorted(maps.Keys(p.Rows))
	for i, pair := range s.Separate.Pairs {
		for _, row := range pair {
			if first[row] == nil {
				return nil, nil, hint.Add(Usagef("suite %s: pairs %d: no row %q", s.Name,
					i+1, row), OneOf("rows", row, known))
			}
			p.Headers[row] = first[row].Header
		}
		a, b := first[pair[0]], first[pair[1]]
		p.Paired = append(p.Paired, a.Base == b || b.Base == a || a.Base != nil && a.Base == b.Base)
	}
	digest := p.Digest()
	for _, r := range runs {
		if r.Baseline == nil {
			r.Header.Plan = digest
		}
	}
	return runs, p, nil
}

// rowOf names a run without its task, model and seed.
func rowOf(p *Planned) string {
	return results.Key{Method: p.Header.Method, Variant: p.Header.Variant}.Row()
}

func (p *separatePlan) path(out string) string {
	name := SafeName(cmp.Or(p.Suite, "suite"))
	return filepath.Join(out, record.PlansDir, name+record.DeclarationSuffix)
}

// begin writes the plan. It refuses to begin if runs exist already, because someone may have chosen
// the rule after looking at them.
func (p *separatePlan) begin(out string) error {
	old, err := readSeparate(p.path(out))
	switch {
	case err == nil && old.Digest() == p.Digest():
		return nil
	case err == nil:
		return hint.Add(fmt.Errorf("%s: the rule or the runs changed after the suite began",
			p.path(out)), "a declared rule cannot change: put the new rule into another file, and "+
			"use another --out")
	case !errors.Is(err, os.ErrNotExist):
		return err
	}
	for _, dir := range p.Rows {
		for _, name := range []string{"result.json", "journal.jsonl*", FailedFile} {
			there := Below(filepath.Join(out, filepath.FromSlash(dir)), "*", name)
			if there != nil {
				return hint.Add(fmt.Errorf("%s already exists, so the rule may depend on it",
					filepath.ToSlash(there[0])), "use another --out")
			}
		}
	}
	return p.write(out)
}

func (p *separatePlan) write(out string) error {
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return err
	}
	if err := plain.MkdirAll(filepath.Dir(p.path(out))); err != nil {
		return err
	}
	return journal.WriteFile(p.path(out), append(data, '\n'))
}

func readSeparate(path string) (*separatePlan, error) {
	var p separatePlan
	if err := record.ReadDeclaration(path, &p); err != nil {
		return nil, err
	}
	err := checkSeparate(path, &p.Separate)
	for _, pair := range p.Separate.Pairs {
		for _, row := range pair {
			if !filepath.IsLocal(filepath.FromSlash(p.Rows[row])) {
				err = cmp.Or(err, fmt.Errorf("%s: no directory for row %q", path, row))
			}
		}
	}
	if len(p.Paired) != len(p.Separate.Pairs) {
		err = cmp.Or(err, fmt.Errorf("%s: paired does not match the pairs", path))
	}
	if err != nil {
		return nil, err
	}
	return &p, nil
}

// judge applies the rule to all pairs with the current runs in out. It counts the runs of which
// counts is true, or all runs if counts is nil.
func (p *separatePlan) judge(out string, counts func(dir string) bool) results.Separation {
	s := results.Separation{
		Suite: p.Suite, Task: p.Task, Rule: ruleOf(&p.Separate), MaxUSD: p.Separate.MaxUSD,
		Capped: p.Capped, Digest: p.Digest(), Used: map[string]results.Use{},
	}
	s.Rule.Tolerance = results.Tolerance(p.Tolerance)
	seeds := map[string][]results.SeedValue{}
	for row, dir := range p.Rows {
		var use results.Use
		for seed := 1; seed <= slices.Max(p.Separate.Looks); seed++ {
			here := runDir{filepath.Join(out, filepath.FromSlash(dir), fmt.Sprint(seed))}
			r := here.result()
			if counts != nil && !counts(here.dir) {
				r = nil
			}
			if r == nil && here.failed() == nil {
				break
			}
			s.Unchained = s.Unchained || r != nil && r.Header.Plan != s.Digest
			seeds[row] = append(seeds[row], seedValue(r))
			use.Seeds++
			known := false
			if r != nil {
				use.USD += r.Paid()
				_, known = r.Cost()
			}
			if !known {
				use.Unpriced++
			}
		}
		s.Used[row] = use
	}
	for i, pair := range p.Separate.Pairs {
		s.Pairs = append(s.Pairs, results.SeparatedPair{
			A: pair[0], B: pair[1], Paired: p.Paired[i],
			Verdict: s.Rule.Judge(seeds[pair[0]], seeds[pair[1]], p.Paired[i]),
		})
	}
	return s
}

// seedValue returns the score of a run, or its re-evaluated score if the task is noisy. A run
// without a score counts as failed.
func seedValue(r *record.Result) results.SeedValue {
	if r == nil || r.Best == nil {
		return results.SeedValue{Failed: true}
	}
	v := results.SeedValue{Value: r.Best.Score}
	if r.Rescored != nil {
		p := r.Rescored.Program(r.Best.Evaluation)
		if p == nil {
			return results.SeedValue{Failed: true}
		}
		if v.Value = p.Fresh; r.Best.Minimized() {
			v.Value = -v.Value
		}
	}
	return v
}

// UntilSeparated makes the runs of one look after another until the rule has decided every pair,
// the last look is over, or the cap is reached. After a kill, the same command continues.
func (s *Suite) UntilSeparated(ctx context.Context, o Options) (results.Separation, error) {
	var none results.Separation
	o.Purse = cmp.Or(o.Purse, &llm.Purse{})
	if s.Separate != nil && s.Separate.MaxUSD > 0 &&
		(o.Purse.Max == 0 || o.Purse.Max > s.Separate.MaxUSD) {
		o.Purse = &llm.Purse{Max: s.Separate.MaxUSD}
	}
	o.Patient, o.Retry = true, false // a look counts a failed run, so the failure is final
	o.Given = maps.Clone(o.Given)
	delete(o.Given, "retry") // no message may recommend it
	runs, p, err := s.separation(o)
	if err != nil {
		return none, err
	}
	if err := p.begin(o.Out); err != nil {
		return none, err
	}
	err = WithBackend(ctx, o, func(w *Backend) error {
		for {
			next, open := p.judge(o.Out, nil).Open()
			if next == 0 {
				return nil
			}
			now := slices.DeleteFunc(slices.Clone(runs), func(r *Planned) bool {
				return r.Header.Seed > uint64(next) || r.Baseline != nil || !open[rowOf(r)] &&
					!slices.ContainsFunc(runs, func(v *Planned) bool {
						return v.Base == r && open[rowOf(v)]
					})
			})
			p.Runs = nil
			for _, r := range now {
				p.Runs = append(p.Runs, planRun{r.Path(), r.Header.Budget})
			}
			if err := p.write(o.Out); err != nil {
				return err
			}
			_, err := w.RunAll(ctx, o, now)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil && o.Purse.Max > 0 && o.Purse.Spent() >= o.Purse.Max:
				if p.Capped = o.Purse.Max == s.Separate.MaxUSD; !p.Capped {
					return err // the limit is this command's --max-usd
				}
				fmt.Fprintf(o.Log, "pacebench: max_usd = %g is spent: "+
					"the undecided pairs stay undecided\n", o.Purse.Max)
				return p.write(o.Out)
			case err != nil:
				if now, _ := p.judge(o.Out, nil).Open(); now == next { // the look is incomplete
					return err
				}
			}
		}
	}, TasksOf(runs)...)
	return p.judge(o.Out, nil), err
}

// Separations judges the comparisons that were declared in results directories by their runs in the
// store, which has checked them.
func Separations(store *results.Store, dirs ...string) (all []results.Separation, err error) {
	read := map[string]bool{} // by digest, because the store leaves out copies of runs
	for _, r := range store.Runs {
		read[r.Digest] = true
	}
	counts := func(dir string) bool {
		l, err := record.LoadFinished(dir)
		return err == nil && read[l.Digest]
	}
	for _, dir := range dirs {
		for _, path := range Below(dir, record.PlansDir, "*"+record.DeclarationSuffix) {
			p, err := readSeparate(path)
			if err != nil {
				return nil, err
			}
			all = append(all, p.judge(dir, counts))
		}
	}
	return all, nil
}
