package cli

import (
	"cmp"
	"encoding/json"
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

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/suite"
	"github.com/pacebench/pacebench/internal/plain"
)

// A baseline is what regress compares with, by cell: "task/method@variant/model/seed".
type baseline map[string]baselineCell

// baselineCell is what is recorded of a cell. Beside the scores all of it is optional: files of
// older versions have scores only.
type baselineCell struct {
	Train       *float64           `json:"train"` // in the task's unit; null: none has a score
	Tests       map[string]float64 `json:"tests,omitempty"`
	Evaluations int                `json:"evaluations,omitempty"`
	Budget      int                `json:"budget,omitempty"`
	Requests    int                `json:"requests,omitempty"`
	Tokens      map[string]int     `json:"tokens,omitempty"` // by role
	Journal     string             `json:"journal,omitempty"`
	// World is all of the environment that can change a number. Cells of equal worlds have equal
	// journals.
	World string `json:"world,omitempty"`
}

// lastDigits is what two machines of one architecture may differ in: the end of a sum. Our choice.
const lastDigits = 1e-9

func (c *console) regressCommand() *cli.Command {
	return command(cli.Command{
		Name: "regress",
		Usage: "compare scores, budgets, tokens and journals in a results directory with a " +
			"recorded baseline; exit status 1 on a difference",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "JSON file of the recorded baseline"},
			&cli.BoolFlag{Name: "update", Usage: "write the file instead"},
			&cli.Float64Flag{
				Name: "tolerance", Value: lastDigits, DefaultText: "1e-9: the last digits",
				Usage: "by which share scores, requests and tokens may differ where the " +
					"environment is another one; in the same one nothing may",
			},
		},
	}, 1, 1, func(cc *cli.Context) error {
		path, tolerance := cc.String("against"), cc.Float64("tolerance")
		switch {
		case path == "":
			return hint.Add(usagef("--against is missing"),
				"it names the file of the baseline; with --update, the one to write")
		case !(tolerance >= 0 && tolerance < 1):
			return usagef("--tolerance %v: must be at least 0 and less than 1", tolerance)
		}
		now, err := collectCells(cc.Args().First())
		if err != nil {
			return err
		}
		if cc.Bool("update") {
			data, err := json.MarshalIndent(now, "", "  ")
			if err != nil {
				return err
			}
			if err := journal.WriteFile(path, append(data, '\n')); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s: %s recorded\n", path, counted(len(now), "cell"))
			return nil
		}
		data, err := readFile(path, suite.MaxFile)
		if err != nil {
			return hint.Add(err, "--update records the results of a directory")
		}
		var old baseline
		if err := json.Unmarshal(data, &old); err != nil {
			return usagef("%s: not a file of recorded results: %w", path, err)
		}
		lines := old.differences(now, tolerance)
		for _, line := range lines {
			fmt.Fprintln(c.out, line)
		}
		abroad := old.abroad(now)
		for _, line := range abroad {
			fmt.Fprintln(c.out, line)
		}
		if len(lines) > 0 {
			advice := "--update records the new ones, when they are meant"
			if len(abroad) > 0 && tolerance == lastDigits {
				advice += "; --tolerance 0.2 compares loosely where the environment differs"
			}
			return hint.Add(fmt.Errorf("differences from %s: %d", path, len(lines)), advice)
		}
		fmt.Fprintf(c.out, "%s as recorded\n", counted(len(old), "cell"))
		return nil
	})
}

// collectCells reads every result.json below dir. One with a journal must be that journal's.
func collectCells(dir string) (baseline, error) {
	out, found := baseline{}, map[string]string{}
	dirs, err := runsBelow([]string{dir})
	if err != nil {
		return nil, err
	}
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
		cell := baselineCell{
			Tests: map[string]float64{}, Evaluations: r.Evaluations, Budget: r.Header.Budget,
			Requests: r.Asked, Journal: l.Digest, World: worldOf(l),
		}
		if r.Best != nil {
			cell.Train = &r.Best.Value
		}
		for split, o := range r.Tests {
			if o.Fault == nil {
				cell.Tests[split] = o.Mean
			}
		}
		for purpose, t := range r.Usage {
			if cell.Tokens == nil {
				cell.Tokens = map[string]int{}
			}
			cell.Tokens[purpose.Role()] += t.Usage.Total()
		}
		name := filepath.ToSlash(suite.CellDir("", r.Header))
		if found[name] != "" {
			return nil, fmt.Errorf("%s and %s are the same cell, %s", found[name], l.Dir, name)
		}
		out[name], found[name] = cell, l.Dir
	}
	if len(out) == 0 {
		return nil, hint.Add(fmt.Errorf("%s: no finished cell", dir), "run or suite fills it")
	}
	return out, nil
}

// worldOf says where a run was made, as far as it is known: a row without a search has no run.json,
// and its numbers follow from Go's and the candidates' packages alone.
func worldOf(l *record.Loaded) string {
	h := l.Header
	if h.Python == "" {
		return ""
	}
	var file struct{ Environment suite.Environment }
	data, err := plain.Read(filepath.Join(l.Dir, "run.json"), plain.Small)
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil || file.Environment.Canary == "" {
		if l.Journal {
			return ""
		}
		file.Environment.Platform = runtime.GOOS + "/" + runtime.GOARCH
	}
	e := file.Environment
	parts := []string{e.Platform, "Python " + h.Python, suite.Packages(h),
		"lock " + cmp.Or(h.Lock, "unknown")}
	for _, name := range slices.Sorted(maps.Keys(h.Packages)) {
		parts = append(parts, name+" "+h.Packages[name])
	}
	if h.Machine != "" {
		parts = append(parts, h.Machine)
	}
	if e.Canary != "" {
		parts = append(parts, "numeric canary "+e.Canary)
	}
	return strings.Join(parts, ", ")
}

// differences lists everything recorded that is missing or differs, in the order of the cells'
// names.
func (old baseline) differences(now baseline, tolerance float64) (lines []string) {
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

// differences compares what is recorded of one cell.
func (old baselineCell) differences(now baselineCell, tolerance float64) (lines []string) {
	differs := func(format string, args ...any) {
		lines = append(lines, fmt.Sprintf(format, args...))
	}
	switch {
	case old.World == "" || now.World == "":
		tolerance = max(tolerance, lastDigits)
	case old.World == now.World:
		tolerance = 0
	}
	near := func(a, b float64) bool {
		return a == b || tolerance > 0 && math.Abs(a-b) <= max(lastDigits, tolerance*math.Abs(a))
	}
	switch {
	case (old.Train == nil) != (now.Train == nil):
		differs("train: %s recorded, %s now", score(old.Train), score(now.Train))
	case old.Train != nil && !near(*old.Train, *now.Train):
		differs("train: %s recorded, %s now", score(old.Train), score(now.Train))
	}
	for _, split := range slices.SortedFunc(maps.Keys(old.Tests), naturalOrder) {
		o := old.Tests[split]
		if n, ok := now.Tests[split]; !ok {
			differs("%s: missing", split)
		} else if !near(o, n) {
			differs("%s: %s recorded, %s now", split, score(&o), score(&n))
		}
	}
	for _, split := range slices.SortedFunc(maps.Keys(now.Tests), naturalOrder) {
		if _, ok := old.Tests[split]; !ok && old.World != "" {
			differs("%s: not recorded", split)
		}
	}
	if old.Journal == "" { // a row without a search, or a file with scores only
		return lines
	}
	if old.Budget != now.Budget {
		differs("budget: %d recorded, %d now", old.Budget, now.Budget)
	}
	if old.Evaluations != now.Evaluations {
		differs("evaluations: %d recorded, %d now", old.Evaluations, now.Evaluations)
	}
	if !near(float64(old.Requests), float64(now.Requests)) {
		differs("requests: %d recorded, %d now", old.Requests, now.Requests)
	}
	roles := slices.AppendSeq(slices.Collect(maps.Keys(old.Tokens)), maps.Keys(now.Tokens))
	slices.Sort(roles)
	for _, role := range slices.Compact(roles) {
		if o, n := old.Tokens[role], now.Tokens[role]; !near(float64(o), float64(n)) {
			differs("tokens of %s: %d recorded, %d now", role, o, n)
		}
	}
	if len(lines) == 0 && tolerance == 0 && old.Journal != now.Journal {
		differs("journal: %.12s recorded, %.12s now: the numbers are the same, "+
			"and the steps are not", old.Journal, now.Journal)
	}
	return lines
}

// score is a value for a report of differences, to its last digit.
func score(v *float64) string {
	if v == nil {
		return "no score"
	}
	return fmt.Sprint(*v)
}

// abroad says which environments of the recorded cells are not those of now.
func (old baseline) abroad(now baseline) (lines []string) {
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
