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
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/bench/suite"
)

func (c *console) verifyCommand() *cli.Command {
	files := &fileNames{}
	return command(cli.Command{
		Name:        "verify",
		Usage:       "replay finished runs from their journals, or score them again",
		Description: "pacebench verify --rescore",
		ArgsUsage:   "[RUN|DIR|BUNDLE ...]",
		Flags: slices.Concat([]cli.Flag{
			files.taskFlag(), files.methodFlag(),
			&cli.BoolFlag{Name: "rescore",
				Usage: "evaluate every program again and compare all values"},
			timeScaleFlag("with --rescore: factor on the limits of time of programs that met " +
				"none in the run, from 1 to 100"),
			&cli.BoolFlag{Name: "no-record",
				Usage: "do not write verified.json into the directory of a run that " +
					"--rescore verified"},
			deepacoFlag(),
		}, methodFlags()),
	}, 0, -1, func(cc *cli.Context) error {
		o, err := c.optionsWith(cc, files)
		if err != nil {
			return err
		}
		unpacked, err := os.MkdirTemp("", "pacebench-bundle-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(unpacked)
		all, err := c.verifiables(cc.Context, dirsOf(cc.Args()), unpacked)
		if err != nil {
			return err
		}
		check := suite.Verifier{
			Options: o, Rescore: cc.Bool("rescore"), Record: !cc.Bool("no-record"),
			Out: c.out,
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

// verifiables are the runs that arguments name, each once: a run, a directory of runs, or a bundle,
// which is unpacked below tmp.
func (c *console) verifiables(ctx context.Context, args []string, tmp string) (
	all []suite.Verifiable, err error) {
	var dirs []string
	shown := map[string]string{} // what is shown in place of a directory below tmp
	for i, arg := range args {
		info, err := os.Stat(arg)
		if err != nil {
			return nil, hint.Add(usage(err), suite.HintVerify)
		}
		if info.IsDir() {
			found, warnings, err := results.RunDirs(arg)
			if err != nil {
				return nil, err
			}
			if len(found) == 0 {
				return nil, hint.Add(usagef("%s: no run found here", arg), suite.HintVerify)
			}
			for _, w := range warnings {
				fmt.Fprintln(c.err, "pacebench: warning:", w)
			}
			dirs = append(dirs, found...)
			continue
		}
		place := filepath.Join(tmp, strconv.Itoa(i))
		if err := os.Mkdir(place, 0o700); err != nil {
			return nil, err
		}
		found, err := record.OpenBundle(ctx, arg, place)
		if err != nil {
			return nil, hint.Add(err,
				"BUNDLE is a file that pacebench pack --out wrote; a run is named by its directory")
		}
		for _, run := range found {
			dir := filepath.Join(place, run)
			dirs, shown[dir] = append(dirs, dir), arg+":"+filepath.ToSlash(run)
		}
	}
	return suite.Map(results.Distinct(dirs), func(dir string) suite.Verifiable {
		return suite.Verifiable{Dir: dir, Shown: shown[dir]}
	}), nil
}
