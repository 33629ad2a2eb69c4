package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/journal"
)

// scores are what regress compares, by cell: "task/method@variant/model/seed".
type scores map[string]cellScores

type cellScores struct {
	Train *float64           `json:"train"` // in the task's unit; null when no program has a score
	Tests map[string]float64 `json:"tests,omitempty"`
}

// tolerance is what two machines of one architecture may differ in: the last digits of a sum. Ours.
const tolerance = 1e-9

func (c *console) regressCommand() *cli.Command {
	return command(cli.Command{
		Name:      "regress",
		Usage:     "compare the scores in a results directory with a recorded baseline; exit status 1 on a difference",
		ArgsUsage: "DIR",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "JSON file of recorded scores"},
			&cli.BoolFlag{Name: "update", Usage: "write the scores into the file instead"},
		},
	}, 1, 1, func(cc *cli.Context) error {
		path := cc.String("against")
		if path == "" {
			return bench.Hint(usagef("--against is missing"), "it names the file of recorded scores; with --update, the one to write")
		}
		now, err := collectScores(cc.Args().First())
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
			fmt.Fprintf(c.out, "%s: %d cells recorded\n", path, len(now))
			return nil
		}
		data, err := readFile(path, maxFile)
		if err != nil {
			return bench.Hint(err, "--update records the scores of a results directory")
		}
		var old scores
		if err := json.Unmarshal(data, &old); err != nil {
			return usagef("%s: not a file of recorded scores: %w", path, err)
		}
		n := 0
		for _, line := range differences(old, now) {
			fmt.Fprintln(c.out, line)
			n++
		}
		if n > 0 {
			return bench.Hint(fmt.Errorf("%d scores differ from %s", n, path), "--update records the new ones, when they are meant")
		}
		fmt.Fprintf(c.out, "%d cells as recorded\n", len(old))
		return nil
	})
}

// collectScores reads every result.json below dir.
func collectScores(dir string) (scores, error) {
	out := scores{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "result.json" {
			return err
		}
		r, err := bench.ReadResult(filepath.Dir(path))
		if err != nil {
			return err
		}
		s := cellScores{Tests: map[string]float64{}}
		if r.Best != nil {
			s.Train = &r.Best.Value
		}
		for split, o := range r.Tests {
			if o.Fault == nil {
				s.Tests[split] = o.Mean
			}
		}
		name, err := filepath.Rel(dir, cellDir(dir, r.Header))
		out[filepath.ToSlash(name)] = s
		return err
	})
	if errors.Is(err, os.ErrNotExist) {
		return nil, bench.Hint(usageError{err}, "DIR is a results directory, the one that run, suite or demo wrote")
	}
	if err == nil && len(out) == 0 {
		err = bench.Hint(fmt.Errorf("%s: no finished cell", dir), "run or suite fills it")
	}
	return out, err
}

// differences lists every recorded score that is missing or differs, in the order of the cells'
// names.
func differences(old, now scores) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		o, n := old[name], now[name]
		if _, ok := now[name]; !ok {
			lines = append(lines, name+": missing")
			continue
		}
		switch {
		case (o.Train == nil) != (n.Train == nil):
			lines = append(lines, fmt.Sprintf("%s: train: one of both has no score", name))
		case o.Train != nil && !near(*o.Train, *n.Train):
			lines = append(lines, fmt.Sprintf("%s: train: %.12g recorded, %.12g now", name, *o.Train, *n.Train))
		}
		for _, split := range slices.SortedFunc(maps.Keys(o.Tests), naturalOrder) {
			if v, ok := n.Tests[split]; !ok {
				lines = append(lines, fmt.Sprintf("%s: %s: missing", name, split))
			} else if !near(o.Tests[split], v) {
				lines = append(lines, fmt.Sprintf("%s: %s: %.12g recorded, %.12g now", name, split, o.Tests[split], v))
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, ok := old[name]; !ok {
			lines = append(lines, name+": not recorded")
		}
	}
	return lines
}

func near(a, b float64) bool { return math.Abs(a-b) <= tolerance*math.Max(1, math.Abs(a)) }
