package cli

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/suite/kit"
	"github.com/pacebench/pacebench/tasks"
)

// plainTask returns a task that needs no optional packages. Any task's environment can parse
// programs, and the environment of this task is the quickest to install.
func plainTask() *bench.Task {
	all := tasks.All()
	return all[slices.IndexFunc(all, func(t *bench.Task) bool {
		return t.Packages == "" && t.Scorer == nil
	})]
}

func (c *console) checkMethodCommand() *cli.Command {
	return command(cli.Command{
		Name:        "check-method",
		Usage:       "check a method in Python against the rules for all methods, without a model",
		Description: "pacebench check-method ./my_method.py",
		ArgsUsage:   "FILE.py",
		Flags:       methodFlags(),
	}, 1, 1, func(cc *cli.Context) error {
		o, path := c.options(cc), cc.Args().First()
		m, err := o.Files.OpenMethod(path)
		if err != nil {
			return err
		}
		other, err := suite.LoadMethod(cc.Context, o, path, "PYTHONHASHSEED=1")
		if err != nil {
			return err
		}
		dir, err := os.MkdirTemp("", "pacebench-check-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		task := plainTask()
		failed := 0
		err = suite.WithBackend(cc.Context, o, func(w *suite.Backend) error {
			k := &kit.Kit{
				New: func() bench.Method { return m.New() }, Analyzer: w.Sandbox(task).Analyzer,
			}
			number := 0
			try := func(name string, check func(kit.T)) bool {
				number++
				told := kit.Try(cc.Context, filepath.Join(dir, strconv.Itoa(number)), check)
				if told == nil {
					fmt.Fprintln(c.out, "ok      ", name)
					return true
				}
				failed++
				fmt.Fprintln(c.out, "FAILED  ", name)
				for _, text := range told {
					fmt.Fprintln(c.out, "  "+strings.ReplaceAll(text, "\n", "\n  "))
				}
				return false
			}
			var checks []kit.Check
			if !try("a run of 120 evaluations", func(t kit.T) { checks = k.Checks(t) }) {
				return nil
			}
			for _, check := range checks {
				if cc.Context.Err() != nil {
					return cc.Context.Err()
				}
				try(check.Name, check.Run)
			}
			same := false
			if try("a run with other hashes", func(t kit.T) { same = k.Same(t, other) }) && !same {
				fmt.Fprintln(c.out, "warning  the run differs with other string hashes: it "+
					"depends on the order of a set of strings, or on hash(); sort the set")
			}
			return nil
		}, task)
		if err != nil {
			return err
		}
		met := m.Met()
		for _, name := range slices.Sorted(maps.Keys(met)) {
			fmt.Fprintf(c.out, "met      %s in %s\n", name, met[name])
			if strings.HasPrefix(name, "time.") || strings.HasPrefix(name, "datetime.") {
				failed++ // the clock does not advance, so code that reads it is wrong
			}
		}
		if failed == 0 {
			return nil
		}
		return hint.Add(fmt.Errorf("%s: %s failed", path, counted(failed, "check")),
			"pacebench docs your-method explains what must not vary; "+
				"random numbers come from search.rand")
	})
}
