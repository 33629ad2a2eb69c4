package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/status"
	"github.com/pacebench/pacebench/bench/suite"
)

func (c *console) verifyCommand() *cli.Command {
	return command(cli.Command{
		Name: "verify",
		Usage: "replay finished runs from their journals; with --rescore evaluate their " +
			"programs, tests and re-evaluations again",
		ArgsUsage: "RUN|DIR|BUNDLE ...",
		Flags: slices.Concat([]cli.Flag{
			&cli.BoolFlag{Name: "rescore",
				Usage: "evaluate every program again and compare all values"},
			timeScaleFlag("with --rescore: factor on the limits of time of programs that met " +
				"none in the run, from 1 to 100"),
			&cli.BoolFlag{Name: "no-record",
				Usage: "do not write verified.json beside a run that --rescore verified"},
			deepacoFlag(),
		}, machineFlags()),
	}, 1, -1, func(cc *cli.Context) error {
		unpacked, err := os.MkdirTemp("", "pacebench-bundle-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(unpacked)
		var all []suite.Verifiable
		for i, arg := range cc.Args().Slice() {
			place := filepath.Join(unpacked, strconv.Itoa(i))
			found, warnings, err := verifiables(cc.Context, arg, place)
			if err != nil {
				return err
			}
			for _, w := range warnings {
				fmt.Fprintln(c.err, "pacebench: warning:", w)
			}
			all = append(all, found...)
		}
		all = distinct(all)
		check := suite.Verifier{
			Options: c.options(cc), Rescore: cc.Bool("rescore"), Record: !cc.Bool("no-record"),
			Out: c.out,
		}
		check.Board = func() *status.Board {
			return status.Open(c.screen, status.Config{Quiet: check.Quiet})
		}
		if len(all) == 1 {
			return check.Run(cc.Context, all[0])
		}
		failed, left, unseen := 0, 0, 0
		for _, v := range all {
			err := check.Run(cc.Context, v)
			switch {
			case cc.Context.Err() != nil:
				return cc.Context.Err()
			case errors.Is(err, suite.ErrNoReplay):
				fmt.Fprintln(c.out, err)
				left++
			case errors.Is(err, suite.ErrUnseen):
				printError(c.err, err)
				unseen++
			case err != nil:
				printError(c.err, err)
				failed++
			}
		}
		fmt.Fprintf(c.out, "%d of %s verified\n",
			len(all)-failed-left-unseen, counted(len(all), "run"))
		if unseen > 0 {
			fmt.Fprintf(c.out, "%s undecided, for limits of time alone\n", counted(unseen, "run"))
		}
		if left == len(all) {
			return hint.Add(errors.New("nothing to replay: all are baselines"),
				"--rescore computes them again")
		}
		if failed+unseen > 0 {
			return fmt.Errorf("%s not verified", counted(failed+unseen, "run"))
		}
		return nil
	})
}

// verifiables are the runs that an argument names: a run, a directory of runs, or a bundle, which
// is unpacked into the new directory tmp.
func verifiables(ctx context.Context, arg, tmp string) (
	out []suite.Verifiable, warnings []results.Warning, err error) {
	info, err := os.Stat(arg)
	if err != nil {
		return nil, nil, hint.Add(usage(err), suite.HintVerify)
	}
	var dirs []string
	if info.IsDir() {
		if dirs, warnings, err = results.Cells(arg); err == nil && len(dirs) == 0 {
			err = hint.Add(usagef("%s: no run found here", arg), suite.HintVerify)
		}
	} else {
		if err := os.Mkdir(tmp, 0o700); err != nil {
			return nil, nil, err
		}
		dirs, err = openBundle(ctx, arg, tmp)
		err = hint.Add(err,
			"BUNDLE is a file that pacebench bundle wrote; a run is named by its directory")
	}
	for _, dir := range dirs {
		v := suite.Verifiable{Dir: dir}
		if !info.IsDir() {
			rel, _ := filepath.Rel(tmp, dir)
			v.Shown = arg + ":" + filepath.ToSlash(rel)
		}
		out = append(out, v)
	}
	return out, warnings, err
}

// distinct drops runs that were named twice.
func distinct(all []suite.Verifiable) []suite.Verifiable {
	var dirs []string
	for _, v := range all {
		dirs = append(dirs, v.Dir)
	}
	dirs = results.Distinct(dirs)
	return slices.DeleteFunc(all, func(v suite.Verifiable) bool {
		if len(dirs) > 0 && dirs[0] == v.Dir {
			dirs = dirs[1:]
			return false
		}
		return true
	})
}
