package cli

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/view"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) viewCommand() *cli.Command {
	files := &fileNames{}
	return command(cli.Command{
		Name:        "view",
		Usage:       "look inside runs in a browser, even while they grow",
		Description: "pacebench view",
		ArgsUsage:   "[DIR|BUNDLE ...]",
		Flags: append([]cli.Flag{
			files.taskFlag(), files.methodFlag(),
			&cli.StringFlag{Name: "listen", Value: "127.0.0.1:8787",
				Usage: "address to serve the pages on; port 0: any free port"},
			&cli.BoolFlag{Name: "allow-remote", Usage: "allow --listen on addresses that other " +
				"machines reach; the pages then run no programs"},
			&cli.StringFlag{Name: "out", Aliases: []string{"o"}, Usage: "write the pages into " +
				"this directory instead; no server is needed to read them"},
		}, placeFlags()...),
	}, 0, -1, func(cc *cli.Context) error {
		o, err := c.optionsWith(cc, files)
		if err != nil {
			return err
		}
		return opened(cc.Context, dirsOf(cc.Args()), func(in *input) error {
			return c.view(cc, o, &view.Site{
				Dirs: in.dirs, Rename: in.rename, Decoders: suite.Decoders(),
				Baseline: suite.IsBaseline, Tasks: labels(o.Files).Tasks,
				Methods: labels(o.Files).Methods,
			})
		})
	})
}

// view writes the pages, or serves them until the command is stopped.
func (c *console) view(cc *cli.Context, o suite.Options, site *view.Site) error {
	some := false
	for _, dir := range site.Dirs {
		runs, _, err := results.RunDirs(dir)
		if err != nil {
			return hint.Add(usage(err), hintNoRuns)
		}
		some = some || len(runs) > 0
	}
	if out := cc.String("out"); cc.IsSet("out") {
		if out == "" {
			return usagef("--out: the name of the directory is empty")
		}
		if !some {
			return hint.Add(errors.New("no run to show"), hintNoRuns)
		}
		if err := holdsNoRuns(out); err != nil {
			return err
		}
		page, err := site.Write(cc.Context, out)
		if err == nil {
			fmt.Fprintln(c.out, page)
		}
		return err
	}
	addr, err := address("listen", cc.String("listen"))
	if err != nil {
		return err
	}
	stage := newStage(cc.Context, o)
	switch {
	case addr.IP.IsLoopback():
		site.Stage = stage.show
	case !cc.Bool("allow-remote"):
		return hint.Add(
			usagef("--listen %s: other machines can reach it, and the pages have no log-in",
				cc.String("listen")),
			"use 127.0.0.1 and a tunnel (ssh -L), or add --allow-remote; "+
				"then the pages run no programs")
	default:
		fmt.Fprintln(c.err, "pacebench: warning: everyone who can reach this address can read "+
			"these runs; the pages run no programs")
	}
	err = c.serve(cc.Context, "listen", addr, "/", site.Handler())
	return errors.Join(err, stage.Close())
}
