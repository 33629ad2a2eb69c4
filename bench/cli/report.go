package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/report"
	"github.com/pacebench/pacebench/bench/results"
	"github.com/pacebench/pacebench/data"
)

func (c *console) reportCommand() *cli.Command {
	return command(cli.Command{
		Name:      "report",
		Usage:     "make tables (text, LaTeX, CSV), curves and one HTML page of results directories",
		ArgsUsage: "[DIR ...]",
		Flags: []cli.Flag{
			outFlag("out", "report", "directory of the report"),
		},
	}, 0, -1, func(cc *cli.Context) error {
		dirs := cc.Args().Slice()
		if len(dirs) == 0 {
			dirs = []string{"results"}
		}
		return c.writeReport(dirs, cc.String("out"), func(string) bool { return true })
	})
}

// writeReport writes the report of dirs into out and prints those of its tables whose names print
// accepts.
func (c *console) writeReport(dirs []string, out string, print func(table string) bool) error {
	store, err := results.Read(vocabularies(), dirs...)
	if errors.Is(err, fs.ErrNotExist) {
		return bench.Hint(usageError{err}, "name a results directory, the one that run, suite or demo wrote")
	}
	if err != nil {
		return err
	}
	for _, w := range store.Warnings {
		fmt.Fprintln(c.err, "pacebench: warning:", w)
	}
	o := report.Options{Published: data.Published, Labels: labels()}
	paths, err := report.Write(store, out, o)
	if err != nil {
		return err
	}
	for _, t := range report.Tables(store, o) {
		if !print(t.Name) {
			continue
		}
		if err := report.Print(c.out, t); err != nil {
			return err
		}
		fmt.Fprintln(c.out)
	}
	fmt.Fprintf(c.out, "Report: %s (%d files)\n", paths[0], len(paths))
	return nil
}

// mainTable chooses the tables that a first look needs.
func mainTable(name string) bool { return strings.HasPrefix(name, "main-") }
