package suite

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// A Recording maps the path of a run, such as "task/method@variant/model/seed", to the values of
// the run that regress records and compares.
type Recording map[string]recorded

// A recorded holds the values of one run. The fields other than the scores may be zero, because
// files of older versions contain only scores.
type recorded struct {
	Train       *float64           `json:"train"` // in the task's unit; null: no score
	Tests       map[string]float64 `json:"tests,omitempty"`
	Evaluations int                `json:"evaluations,omitempty"`
	Budget      int                `json:"budget,omitempty"`
	Requests    int                `json:"requests,omitempty"`
	Tokens      map[string]int     `json:"tokens,omitempty"` // by role
	Journal     string             `json:"journal,omitempty"`
	// World names every part of the environment that can change a number. If a run is repeated with
	// the same World, the journal is the same.
	World string `json:"world,omitempty"`
}

// LastDigits is the relative or absolute difference that is allowed between two machines of one
// architecture, because they can add numbers in a different order.
const LastDigits = 1e-9

// Collect reads the result.json of every run. If a run has a journal, the result must agree with
// it.
func Collect(dirs []string) (Recording, error) {
	out, found := Recording{}, map[string]string{}
	for _, dir := range dirs {
		if _, err := os.Stat(filepath.Join(dir, "result.json")); errors.Is(err, fs.ErrNotExist) {
			continue // not finished
		}
		l, err := record.Load(dir)
		if err != nil {
			return nil, err
		}
		if l.Journal {
			if err := l.CheckResult(); err != nil {
				return nil, err
			}
		}
		r := l.Result
		run := recorded{
			Tests: map[string]float64{}, Evaluations: r.Evaluations, Budget: r.Header.Budget,
			Requests: r.Asked, Journal: l.Digest, World: worldOf(l),
		}
		if r.Best != nil {
			run.Train = &r.Best.Value
		}
		for split, o := range r.Tests {
			if o.Fault == nil {
				run.Tests[split] = o.Mean
			}
		}
		for purpose, t := range r.Usage {
			if run.Tokens == nil {
				run.Tokens = map[string]int{}
			}
			run.Tokens[purpose.Role()] += t.Usage.Total()
		}
		name := filepath.ToSlash(RunDir("", r.Header))
		if found[name] != "" {
			return nil, fmt.Errorf("%s and %s both contain the run %s", found[name], l.Dir, name)
		}
		out[name], found[name] = run, l.Dir
	}
	return out, nil
}

// worldOf returns the World that the header of a run records.
func worldOf(l *record.Loaded) string {
	h := l.Header
	switch {
	case h.Python == "" && IsBaseline(h): // computed by Go, presumably on this platform
		return runtime.GOOS + "/" + runtime.GOARCH
	case h.Arithmetic == "":
		return ""
	}
	parts := []string{"Python " + h.Python, Packages(h), "lock " + cmp.Or(h.Lock, "unknown")}
	for _, name := range slices.Sorted(maps.Keys(h.Packages)) {
		parts = append(parts, name+" "+h.Packages[name])
	}
	return strings.Join(append(parts, h.Arithmetic), ", ")
}

// Differences lists every recorded value that is missing or differs, and then every run that is not
// recorded.
func (old Recording) Differences(now Recording, tolerance float64) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		n, ok := now[name]
		if !ok {
			lines = append(lines, name+": missing")
			continue
		}
		for _, text := range old[name].differences(n, tolerance) {
			lines = append(lines, name+": "+text)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, ok := old[name]; !ok {
			lines = append(lines, name+": not recorded")
		}
	}
	return lines
}

func (old recorded) differences(now recorded, tolerance float64) (lines []string) {
	differs := func(format string, args ...any) {
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	switch {
	case old.World == "" || now.World == "":
		tolerance = max(tolerance, LastDigits)
	case old.World == now.World:
		tolerance = 0
	}
	near := func(a, b float64) bool {
		return a == b || tolerance > 0 && math.Abs(a-b) <= max(LastDigits, tolerance*math.Abs(a))
	}
	if o, n := old.Train, now.Train; (o == nil) != (n == nil) || o != nil && !near(*o, *n) {
		differs("train: %s recorded, %s now", score(o), score(n))
	}
	for _, split := range slices.SortedFunc(maps.Keys(old.Tests), results.NaturalOrder) {
		o := old.Tests[split]
		if n, ok := now.Tests[split]; !ok {
			differs("%s: missing", split)
		} else if !near(o, n) {
			differs("%s: %s recorded, %s now", split, score(&o), score(&n))
		}
	}
	for _, split := range slices.SortedFunc(maps.Keys(now.Tests), results.NaturalOrder) {
		if _, ok := old.Tests[split]; !ok && old.World != "" {
			differs("%s: not recorded", split)
		}
	}
	if old.Journal == "" { // a baseline, or a file with scores only
		return lines
	}
	type count struct {
		what    string
		was, is int
		exact   bool
	}
	counts := []count{
		{"budget", old.Budget, now.Budget, true},
		{"evaluations", old.Evaluations, now.Evaluations, true},
		{"requests", old.Requests, now.Requests, false},
	}
	roles := slices.AppendSeq(slices.Collect(maps.Keys(old.Tokens)), maps.Keys(now.Tokens))
	slices.Sort(roles)
	for _, role := range slices.Compact(roles) {
		counts = append(counts,
			count{"tokens of " + role, old.Tokens[role], now.Tokens[role], false})
	}
	for _, c := range counts {
		if c.was != c.is && (c.exact || !near(float64(c.was), float64(c.is))) {
			differs("%s: %d recorded, %d now", c.what, c.was, c.is)
		}
	}
	if len(lines) == 0 && tolerance == 0 && old.Journal != now.Journal {
		differs("journal: %.12s recorded, %.12s now: the numbers agree "+
			"but the steps differ", old.Journal, now.Journal)
	}
	return lines
}

func score(v *float64) string {
	if v == nil {
		return "no score"
	}
	return fmt.Sprint(*v)
}

// Abroad returns a line for each pair of a recorded environment and a different present
// environment.
func (old Recording) Abroad(now Recording) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		was, is := old[name].World, now[name].World
		if was == "" || is == "" || was == is {
			continue
		}
		line := fmt.Sprintf("environment: recorded in %s; now %s", was, is)
		if !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines
}
