package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) regressCommand() *cli.Command {
	return command(cli.Command{
		Name:        "regress",
		Usage:       "compare runs with a recorded baseline; status 1 on a difference",
		Description: "pacebench regress --against scores.json",
		ArgsUsage:   "[DIR|BUNDLE]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "against", Usage: "JSON file of the recorded baseline"},
			&cli.BoolFlag{Name: "update",
				Usage: "write the file of --against instead of comparing with it"},
			&cli.Float64Flag{
				Name: "tolerance", Value: suite.LastDigits, DefaultText: "1e-9: the last digits",
				Usage: "relative difference allowed for scores, requests and tokens if the " +
					"environment differs; the same environment allows none",
			},
		},
	}, 0, 1, func(cc *cli.Context) error {
		path, tolerance := cc.String("against"), cc.Float64("tolerance")
		switch {
		case path == "":
			return hint.Add(usagef("--against is missing"),
				"it names the file to compare with, or to write with --update")
		case !(tolerance >= 0 && tolerance < 1):
			return usagef("--tolerance %v: must be at least 0 and less than 1", tolerance)
		}
		var now suite.Recording
		err := opened(cc.Context, dirsOf(cc.Args()), func(in *input) error {
			dirs, err := runsBelow(in.dirs)
			if err == nil {
				now, err = suite.Collect(dirs)
			}
			return err
		})
		if err != nil {
			return err
		}
		if len(now) == 0 {
			return hint.Add(fmt.Errorf("%s: no finished run", dirsOf(cc.Args())[0]),
				"make runs with pacebench run or suite")
		}
		if cc.Bool("update") {
			if err := journal.WriteJSON(path, now); err != nil {
				return err
			}
			fmt.Fprintf(c.out, "%s: %s recorded\n", path, counted(len(now), "run"))
			return nil
		}
		data, err := readFile(path, suite.MaxFile)
		if errors.Is(err, fs.ErrNotExist) {
			err = hint.Add(err, "to write this file from the runs, repeat the command with "+
				"--update")
		}
		if err != nil {
			return err
		}
		var old suite.Recording
		if err := json.Unmarshal(data, &old); err != nil {
			return usagef("%s: not a file of recorded results: %w", path, hint.JSON(err))
		}
		lines := old.Differences(now, tolerance)
		for _, line := range lines {
			fmt.Fprintln(c.out, line)
		}
		abroad := old.Abroad(now)
		for _, line := range abroad {
			fmt.Fprintln(c.out, line)
		}
		if len(lines) > 0 {
			advice := "if the new numbers are right, record them with --update"
			if len(abroad) > 0 && tolerance == suite.LastDigits {
				advice += "; --tolerance 0.2 allows for the other environment"
			}
			return hint.Add(fmt.Errorf("differences from %s: %d", path, len(lines)), advice)
		}
		fmt.Fprintf(c.out, "%s as recorded\n", counted(len(old), "run"))
		return nil
	})
}
