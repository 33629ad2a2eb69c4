package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/report/export"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) exportCommand() *cli.Command {
	return command(cli.Command{
		Name:        "export",
		Usage:       "write runs as tables for pandas, R or DuckDB",
		Description: "pacebench export --format parquet",
		ArgsUsage:   "[DIR|BUNDLE ...]",
		Flags: []cli.Flag{
			&cli.StringFlag{
				Name: "format", Value: "csv", Usage: strings.Join(export.Formats, ", ")},
			outFlag("out", "export", "directory of the tables", "o"),
		},
	}, 0, -1, func(cc *cli.Context) error {
		format := cc.String("format")
		if !slices.Contains(export.Formats, format) {
			return hint.Add(usagef("--format %s: there is no such format", format),
				oneOf("formats", format, export.Formats))
		}
		if err := holdsNoRuns(cc.String("out")); err != nil {
			return err
		}
		return opened(cc.Context, dirsOf(cc.Args()), func(in *input) error {
			store, err := c.read(in, false)
			if err != nil {
				return err
			}
			if len(store.Runs) == 0 {
				return hint.Add(errors.New("no run to export"), hintNoRuns)
			}
			paths, err := export.Tables(
				suite.Decoders(), store.Runs, labels(nil).Unit, format, cc.String("out"))
			for _, p := range paths {
				fmt.Fprintln(c.out, p)
			}
			return err
		})
	})
}
