package results

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// A Key names runs that differ only in their seed.
type Key struct {
	Task, Method, Variant string
	// Models is canonical: "openai:gpt-4o-mini", "openai:a eap=openai:b"; empty for a row without a
	// model.
	Models string
	// Lock names the lock of Python packages, the class of arithmetic, and a factor on time limits
	// (record.Header.World), so that, for example, scores under NumPy 1 and NumPy 2 never share a
	// mean.
	Lock string
	// Version is the version of the method; empty for the first.
	Version string
}

// Row returns the method's name with its variant: "pace@k=5".
func (k Key) Row() string {
	if k.Variant == "" {
		return k.Method
	}
	return k.Method + "@" + k.Variant
}

func compareKeys(a, b Key) int {
	return cmp.Or(
		cmp.Compare(a.Task, b.Task), cmp.Compare(a.Method, b.Method),
		cmp.Compare(a.Variant, b.Variant), cmp.Compare(a.Models, b.Models),
		cmp.Compare(a.Lock, b.Lock), cmp.Compare(a.Version, b.Version),
	)
}

// Models returns the canonical name of a run's models: the default model first, then the roles that
// have another model.
func Models(models map[string]string) string {
	base := models[""]
	parts := []string{}
	if base != "" {
		parts = append(parts, base)
	}
	for _, role := range slices.Sorted(maps.Keys(models)) {
		if name := models[role]; role != "" && name != base {
			parts = append(parts, role+"="+name)
		}
	}
	return strings.Join(parts, " ")
}

// A Group has the runs of one key, sorted by seed.
type Group struct {
	Key
	Tolerance // of the task
	Runs      []*Run
}

// Groups returns the runs in groups, one for each key, in the order of the keys.
func (s *Store) Groups() []*Group {
	byKey := map[Key]*Group{}
	for _, r := range s.Runs {
		k := r.Key()
		if byKey[k] == nil {
			byKey[k] = &Group{Key: k}
		}
		byKey[k].Runs = append(byKey[k].Runs, r)
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b *Group) int {
		return compareKeys(a.Key, b.Key)
	})
}

// Finished returns the runs of the group that have a result and a program with a score.
func (g *Group) Finished() []*Run {
	return slices.DeleteFunc(g.Ended(), func(r *Run) bool { return r.Best == nil })
}

// Seeds returns the seeds of the group's runs, finished or not, in ascending order.
func (g *Group) Seeds() (seeds []uint64) {
	for _, r := range g.Runs {
		seeds = append(seeds, r.Header.Seed)
	}
	slices.Sort(seeds)
	return seeds
}

// Chosen explains why the seeds of the group may have been chosen by their values. It is empty for
// a baseline without training, and if no declared rule decided the number of seeds and they are
// consecutive from 1, or from the first seed of a pool or of its check. The tests of this package
// are valid only for seeds that were chosen before their values were known.
func (g *Group) Chosen() string {
	if g.Baseline() && !g.Trained() {
		return ""
	}
	seeds := g.Seeds()
	for _, r := range g.Runs {
		if r.Header.Plan != "" {
			return fmt.Sprintf("the declared rule %.12s decided their number", r.Header.Plan)
		}
	}
	switch first, n := seeds[0], uint64(len(seeds)); {
	case seeds[n-1]-first >= n:
		return "they have gaps"
	case first != 1 && first != PoolSeed && first != CheckSeed:
		return "they do not begin at 1"
	}
	return ""
}

// Winner returns the run whose best program has the highest training score; among equal scores, the
// run with the smallest seed. It returns nil if no run has a score. The paper's protocol tests the
// winner's program.
func (g *Group) Winner() *Run {
	var best *Run
	for _, r := range g.Finished() {
		if best == nil || g.Compare(r.Best.Score, best.Best.Score) > 0 {
			best = r
		}
	}
	return best
}

// WinnerBy returns the run whose program is tested for the row: the Winner, or the run whose
// program is the best in validation. Among runs with equal scores, WinnerBy returns the one with
// the smallest seed. It returns nil if no run has such a program.
func (g *Group) WinnerBy(by Choice) *Run {
	if by != ByValidation || g.Baseline() {
		return g.Winner()
	}
	var best *Run
	score := 0.0
	for _, r := range g.Finished() {
		p := r.validated(by)
		if p == nil {
			continue
		}
		now := p.Both
		if r.Best.Minimized() {
			now = -now
		}
		if best == nil || g.Compare(now, score) > 0 {
			best, score = r, now
		}
	}
	return best
}

// Baseline reports whether the group is a row that does not search with an LLM: none of its runs
// made requests or has the journal of a search.
func (g *Group) Baseline() bool {
	return !slices.ContainsFunc(g.Runs, func(r *Run) bool {
		return (r.Journal && !r.Trained()) || r.Asked > 0
	})
}

// Trained reports whether the group's runs trained policies.
func (g *Group) Trained() bool { return slices.ContainsFunc(g.Runs, (*Run).Trained) }

// Offline reports whether any run used the embedded model.
func (g *Group) Offline() bool { return slices.ContainsFunc(g.Runs, (*Run).Offline) }

// Unsafe reports whether any run was made without a complete sandbox.
func (g *Group) Unsafe() bool {
	return slices.ContainsFunc(g.Runs, func(r *Run) bool { return r.Header.Unsafe })
}

// SameConfig reports whether all runs have the same settings.
func (g *Group) SameConfig() bool {
	return !slices.ContainsFunc(g.Runs, func(r *Run) bool {
		return string(r.Header.Config) != string(g.Runs[0].Header.Config)
	})
}
