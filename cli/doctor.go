package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
)

func (c *console) doctorCommand() *cli.Command {
	return command(cli.Command{
		Name:        "doctor",
		Usage:       "set up Python, describe this machine, and test the sandbox with attacks",
		Description: "pacebench doctor",
		ArgsUsage:   " ",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "packages",
				Usage: "install and test packages that some tasks need: " +
					strings.Join(pyenv.Extras(), " or ")},
		}, machineFlags()),
	}, 0, 0, func(cc *cli.Context) error {
		extra := cc.String("packages")
		if extra != "" && !slices.Contains(pyenv.Extras(), extra) {
			return hint.Add(usagef("--packages %s: there are no such packages", extra),
				oneOf("packages", extra, pyenv.Extras()))
		}
		o := c.options(cc)
		env, err := suite.OpenPython(cc.Context, o, "")
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "platform   %s/%s, %d cores, %s\n",
			runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version())
		fmt.Fprintf(c.out, "python     %s (%s)\n", env.Version, env.Origin)
		fmt.Fprintf(c.out, "packages   NumPy %s, SciPy %s (lock %s)\n",
			env.NumPy, cmp.Or(env.SciPy, "none"), env.Lock)
		fmt.Fprintf(c.out, "interpreter %s\n", env.Python)
		fmt.Fprintf(c.out, "arithmetic %s\n", env.Class)
		if err := c.doctorPackages(cc.Context, o, extra); err != nil {
			return err
		}
		cfg := sandbox.Config{
			Python: env.Python, Workers: 1, Unsafe: o.Unsafe, Log: o.Log,
		}
		workers, err := sandbox.Open(cc.Context, cfg)
		if err != nil {
			return err
		}
		fmt.Fprintf(c.out, "sandbox    %s\n", workers.Report())
		ms, err := workers.LoopMS(cc.Context)
		if err := cmp.Or(err, workers.Close()); err != nil {
			return err
		}
		fmt.Fprintf(c.out,
			"speed      a fixed loop takes %.1f ms; time limits assume %.1f ms%s\n",
			ms, sandbox.ReferenceMS, slow(ms))
		failed, untried := 0, 0
		for _, check := range sandbox.SelfTest(cc.Context, cfg) {
			verdict := "stopped by " + check.Detail
			switch {
			case check.Err != nil:
				verdict = fmt.Sprintf("COULD NOT BE TRIED: %v", check.Err)
				untried++
			case !check.OK:
				verdict = "NOT STOPPED: " + check.Detail
				failed++
			}
			fmt.Fprintf(c.out, "attack     %-28s %s\n", check.Name, verdict)
		}
		if failed > 0 {
			return fmt.Errorf("%s not stopped", counted(failed, "attack"))
		}
		if untried > 0 && cc.Context.Err() == nil {
			return fmt.Errorf("%s could not be tried", counted(untried, "attack"))
		}
		return cc.Context.Err()
	})
}

// slow recommends a time scale for a machine that is much slower than the machine for which time
// limits are stated.
func slow(loopMS float64) string {
	if f := sandbox.TimeScale(loopMS); f > 1 {
		return fmt.Sprintf(": use --time-scale %g to allow for this", f)
	}
	return ""
}

// doctorPackages reports which optional packages are installed. It installs and tests the wanted
// packages.
func (c *console) doctorPackages(ctx context.Context, o suite.Options, wanted string) error {
	for _, extra := range pyenv.Extras() {
		var env *pyenv.Env
		var err error
		if extra == wanted {
			env, err = suite.OpenPython(ctx, o, extra)
		} else {
			env, err = pyenv.Installed(ctx,
				pyenv.Options{Python: o.Python, Lock: o.Lock, Extra: extra})
		}
		switch {
		case errors.Is(err, pyenv.ErrNotInstalled):
			when := "by pacebench doctor --packages " + extra
			if tasks := tasksWith(extra); len(tasks) > 0 {
				when = "on first use of " + strings.Join(tasks, ", ") + ", or " + when
			}
			fmt.Fprintf(c.out, "%-10s not installed yet: installed %s\n", extra, when)
			continue
		case err != nil && extra != wanted:
			fmt.Fprintf(c.out, "%-10s cannot be used: %v\n", extra, err)
			continue
		case err != nil:
			return err
		}
		var versions []string
		for _, name := range slices.Sorted(maps.Keys(env.Extras)) {
			versions = append(versions, name+" "+env.Extras[name])
		}
		fmt.Fprintf(c.out, "%-10s %s (Python %s)\n",
			extra, strings.Join(versions, ", "), env.Version)
	}
	return c.probe(ctx, o, wanted)
}

// probe runs the Probe of every task that needs these packages: it checks that trusted Python
// behaves as the task expects.
func (c *console) probe(ctx context.Context, o suite.Options, packages string) error {
	var probed []*bench.Task
	for _, t := range tasks.All() {
		if packages != "" && t.Scorer != nil && t.Scorer.Packages == packages {
			probed = append(probed, t)
		}
	}
	if probed == nil {
		return nil
	}
	return suite.WithBackend(ctx, o, func(w *suite.Backend) error {
		for _, t := range probed {
			nothing := func(bench.Host) error { return nil }
			if err := w.Hosts.Lend(ctx, t.Scorer, nothing); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "task       %-28s behaves as expected\n", t.Name)
		}
		return nil
	}, probed...)
}

// tasksWith returns the names of the tasks that need these packages.
func tasksWith(packages string) []string {
	var names []string
	for _, t := range tasks.All() {
		if t.Packages == packages || t.Scorer != nil && t.Scorer.Packages == packages {
			names = append(names, t.Name)
		}
	}
	return names
}
