package report

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// ErrNoRuns means that the directories hold no run that can be read.
var ErrNoRuns = errors.New("no run to report")

// A Store is what some results directories hold.
type Store struct {
	Runs     []*Run // by task, method, variant, models, seed
	Warnings []Warning
}

// A Warning is a doubt about what lies at a path: it was left out, or its numbers need a remark.
type Warning struct {
	Path, Reason string
}

func (w Warning) String() string { return w.Path + ": " + w.Reason }

// A Key names the runs that differ in their seed only.
type Key struct {
	Task, Method, Variant string
	Models                string // canonical: "openai:gpt-4o-mini", "openai:a eap=openai:b"; empty for a row without a model
}

// Row is the method's name with its variant, "pace@k=5".
func (k Key) Row() string {
	if k.Variant == "" {
		return k.Method
	}
	return k.Method + "@" + k.Variant
}

// A Group is the runs of one key, by seed.
type Group struct {
	Key
	Runs []*Run
}

// Collect reads every run below the directories, finished or not, and changes nothing. What cannot
// be read becomes a warning; an error means that one of the directories itself cannot be walked.
func Collect(dirs ...string) (*Store, error) {
	s := &Store{}
	var found []string
	for _, root := range dirs {
		cells, warnings, err := walk(root)
		if err != nil {
			return nil, err
		}
		if len(cells) == 0 {
			warnings = append(warnings, Warning{root, "no run found here"})
		}
		found, s.Warnings = append(found, cells...), append(s.Warnings, warnings...)
	}
	found = distinct(found)

	runs, errs := make([]*Run, len(found)), make([]error, len(found))
	var wg sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, dir := range found {
		slots <- struct{}{}
		wg.Go(func() {
			runs[i], errs[i] = readRun(dir)
			<-slots
		})
	}
	wg.Wait()
	for i, r := range runs {
		if errs[i] != nil {
			s.Warnings = append(s.Warnings, Warning{found[i], "left out: " + reason(found[i], errs[i])})
			continue
		}
		s.Runs = append(s.Runs, r)
	}
	slices.SortStableFunc(s.Runs, func(a, b *Run) int {
		return cmp.Or(compareKeys(a.Key(), b.Key()), cmp.Compare(a.Header.Seed, b.Header.Seed), cmp.Compare(a.Dir, b.Dir))
	})
	s.dropTwins()
	return s, nil
}

// walk returns the run directories below root. A directory with one of a run's files is a run; nothing below
// it is looked at.
func walk(root string) (cells []string, warnings []Warning, err error) {
	start := root
	if target, err := filepath.EvalSymlinks(root); err == nil {
		start = target // WalkDir would stop at a link
	}
	info, err := os.Stat(start)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: not a directory", root)
	}
	err = filepath.WalkDir(start, func(path string, d fs.DirEntry, err error) error {
		shown := root + strings.TrimPrefix(path, start)
		switch {
		case err != nil:
			warnings = append(warnings, Warning{shown, "cannot be read: " + reason(path, err)})
			return fs.SkipDir
		case !d.IsDir():
			return nil
		case path != start && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		}
		for _, name := range []string{"result.json", "journal.jsonl", "run.json"} {
			if _, err := os.Lstat(filepath.Join(path, name)); err == nil {
				cells = append(cells, filepath.Clean(shown))
				return fs.SkipDir
			}
		}
		return nil
	})
	return cells, warnings, err
}

// distinct drops directories that were reached twice, through overlapping arguments.
func distinct(dirs []string) []string {
	seen := map[string]bool{}
	return slices.DeleteFunc(dirs, func(dir string) bool {
		name := dir
		if abs, err := filepath.Abs(dir); err == nil {
			name = abs
		}
		if real, err := filepath.EvalSymlinks(name); err == nil {
			name = real
		}
		dup := seen[name]
		seen[name] = true
		return dup
	})
}

// dropTwins keeps one run of a key and a seed: a mean over two copies of one run would lie.
// A finished run is kept before an unfinished one, then the first path.
func (s *Store) dropTwins() {
	type identity struct {
		Key
		seed uint64
	}
	kept := map[identity]*Run{}
	for _, r := range s.Runs {
		id := identity{r.Key(), r.Header.Seed}
		if old := kept[id]; old == nil || !old.Finished() && r.Finished() {
			kept[id] = r
		}
	}
	s.Runs = slices.DeleteFunc(s.Runs, func(r *Run) bool {
		k := kept[identity{r.Key(), r.Header.Seed}]
		if k != r {
			s.Warnings = append(s.Warnings, Warning{r.Dir, "left out: the same method, model and seed as " + k.Dir})
		}
		return k != r
	})
}

// reason is an error in one line, without the path that the warning names already.
func reason(path string, err error) string {
	text := err.Error()
	if pe := (*fs.PathError)(nil); errors.As(err, &pe) {
		text = filepath.Base(pe.Path) + ": " + pe.Err.Error()
	}
	text = strings.TrimPrefix(text, path+": ")
	return oneLine(text)
}

// Groups returns the runs by key, in the order in which tables show them.
func (s *Store) Groups() []*Group {
	byKey := map[Key]*Group{}
	for _, r := range s.Runs {
		k := r.Key()
		if byKey[k] == nil {
			byKey[k] = &Group{Key: k}
		}
		byKey[k].Runs = append(byKey[k].Runs, r)
	}
	return slices.SortedFunc(maps.Values(byKey), func(a, b *Group) int { return compareKeys(a.Key, b.Key) })
}

// Tasks returns the names of the tasks that have a run, in the order of the paper.
func (s *Store) Tasks() []string {
	seen := map[string]bool{}
	for _, r := range s.Runs {
		seen[r.Header.Task] = true
	}
	return slices.SortedFunc(maps.Keys(seen), compareTasks)
}

func compareKeys(a, b Key) int {
	return cmp.Or(
		compareTasks(a.Task, b.Task),
		cmp.Compare(methodRank(a.Method), methodRank(b.Method)), cmp.Compare(a.Method, b.Method),
		compareVariants(a.Variant, b.Variant),
		cmp.Compare(a.Models, b.Models),
	)
}

// modelsKey is the canonical name of a run's models: the one for every role first, then the roles that have another.
func modelsKey(models map[string]string) string {
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

// Finished returns the runs of the group that have a result and a scored program.
func (g *Group) Finished() []*Run {
	var out []*Run
	for _, r := range g.Runs {
		if r.Finished() && r.Best != nil {
			out = append(out, r)
		}
	}
	return out
}

// Winner is the run whose best program has the highest training score, the earliest seed among equals;
// nil when there is none. Its program is the one that the paper's protocol tests.
func (g *Group) Winner() *Run {
	var best *Run
	for _, r := range g.Finished() {
		if best == nil || r.Best.Score > best.Best.Score {
			best = r
		}
	}
	return best
}

// Baseline reports whether the group's runs asked no model: a row that does not search with an LLM.
func (g *Group) Baseline() bool {
	return !slices.ContainsFunc(g.Runs, func(r *Run) bool { return r.Journal || r.Asked > 0 })
}

// Offline reports whether any request went to the embedded model.
func (g *Group) Offline() bool { return slices.ContainsFunc(g.Runs, (*Run).Offline) }

// Unsafe reports whether any run was made without a complete sandbox.
func (g *Group) Unsafe() bool {
	return slices.ContainsFunc(g.Runs, func(r *Run) bool { return r.Header.Unsafe })
}

// where returns the groups that are to be kept, in their order.
func where(groups []*Group, keep func(*Group) bool) []*Group {
	var out []*Group
	for _, g := range groups {
		if keep(g) {
			out = append(out, g)
		}
	}
	return out
}

// minimizes reports whether smaller values are better, as the scores say: they are negated values then. Nothing
// is known without a scored program.
func minimizes(runs []*Run) (minimize, known bool) {
	for _, r := range runs {
		if r.Best != nil && r.Best.Value != 0 {
			return (r.Best.Score < 0) != (r.Best.Value < 0), true
		}
	}
	return false, false
}
