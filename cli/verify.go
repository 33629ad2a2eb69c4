package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
)

var digests = regexp.MustCompile("^[0-9a-f]{64}$")

func (c *console) verifyCommand() *cli.Command {
	files, trusted := &fileNames{}, &settings{}
	return command(cli.Command{
		Name:        "verify",
		Usage:       "replay finished runs from their journals, or score them again",
		Description: "pacebench verify --rescore",
		ArgsUsage:   "[RUN|DIR|BUNDLE ...]",
		Flags: slices.Concat([]cli.Flag{
			files.taskFlag(), files.methodFlag(),
			&cli.GenericFlag{Name: "trust-code", Value: trusted,
				Usage: "trust a run's own copy of its Python task or method, named by the digest " +
					"that verify printed; may be repeated"},
			&cli.BoolFlag{Name: "rescore",
				Usage: "evaluate every program again and compare all values"},
			&cli.BoolFlag{Name: "tune",
				Usage: "with --rescore: also evaluate everything that tune tried"},
			&cli.BoolFlag{Name: "best",
				Usage: "instead of a replay, evaluate the best program again on the training " +
					"split"},
			timeScaleFlag("with --rescore or --best: factor on the time limits of programs " +
				"that met no limit in the run, from 1 to 100"),
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
		for _, digest := range trusted.list {
			if !digests.MatchString(digest) {
				return hint.Add(usagef("--trust-code %s: this is not a digest", digest),
					"verify without --trust-code prints the 64 digits")
			}
		}
		return opened(cc.Context, dirsOf(cc.Args()), func(in *input) error {
			o.Files.Trust(trusted.list, filepath.Join(in.tmp, "code"))
			dirs, err := c.runsOf(in)
			if err != nil {
				return err
			}
			return c.verify(cc.Context, in, dirs, suite.Verifier{
				Options: o, Recheck: cc.Bool("rescore"), Best: cc.Bool("best"),
				Tune: cc.Bool("tune"), Record: !cc.Bool("no-record"), Out: c.out,
				Name: in.rename, Argument: in.argument,
			})
		})
	})
}

func (c *console) verify(
	ctx context.Context, in *input, dirs []string, check suite.Verifier,
) error {
	if len(dirs) == 1 {
		return check.Run(ctx, dirs[0])
	}
	failed, left, unseen, partly := 0, 0, 0, 0
	for _, dir := range dirs {
		err := in.named(check.Run(ctx, dir))
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, suite.ErrNoReplay), errors.Is(err, suite.ErrNoBest):
			fmt.Fprintln(c.out, err)
			left++
		case errors.Is(err, suite.ErrUnseen):
			printError(c.err, err)
			unseen++
		case errors.Is(err, suite.ErrCode):
			printError(c.err, err)
			partly++
		case err != nil:
			printError(c.err, err)
			failed++
		}
	}
	fmt.Fprintf(c.out, "%d of %s verified\n",
		len(dirs)-failed-left-unseen-partly, counted(len(dirs), "run"))
	if unseen > 0 {
		fmt.Fprintf(c.out, "%s undecided because of time limits\n", counted(unseen, "run"))
	}
	if partly > 0 {
		fmt.Fprintf(c.out, "%s verified in part: the other checks need code that is not trusted\n",
			counted(partly, "run"))
	}
	if left == len(dirs) && !check.Best {
		return hint.Add(errors.New("nothing to replay: all runs are baselines"),
			"--rescore computes them again")
	}
	if n := failed + unseen + partly; n > 0 {
		return fmt.Errorf("%s not verified", counted(n, "run"))
	}
	return nil
}

// runsOf returns the runs that the arguments name, each once.
func (c *console) runsOf(in *input) ([]string, error) {
	var dirs []string
	for _, dir := range in.dirs {
		found, warnings, err := results.RunDirs(dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil, hint.Add(usage(err), suite.HintVerify)
		}
		if err != nil {
			return nil, err
		}
		if len(found) == 0 {
			return nil, hint.Add(usagef("%s: no run found here", dir), suite.HintVerify)
		}
		for _, w := range warnings {
			fmt.Fprintln(c.err, "pacebench: warning:", w)
		}
		dirs = append(dirs, found...)
	}
	return results.Distinct(dirs), nil
}
