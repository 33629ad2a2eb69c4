package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/report/view"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) reportCommand() *cli.Command {
	files, pools := &fileNames{}, &settings{}
	return command(cli.Command{
		Name:        "report",
		Usage:       "make tables (text, LaTeX, CSV), figures and pages of runs",
		Description: "pacebench report --out reports",
		ArgsUsage:   "[DIR|BUNDLE ...]",
		Flags: append([]cli.Flag{
			outFlag("out", "reports", "directory of the report"),
			files.taskFlag(), files.methodFlag(),
			&cli.BoolFlag{Name: "pictures", Usage: "run the best programs once more, in the " +
				"sandbox, and store pictures of their behaviour"},
			&cli.BoolFlag{Name: "published", Usage: "show the paper's numbers below the rows, " +
				"and the differences from them"},
			&cli.BoolFlag{Name: "all", Usage: "write all tables and figures, not only " +
				"the main ones"},
			&cli.BoolFlag{Name: "paper", Usage: "test one program per row, the best of all " +
				"seeds, as the paper does, instead of each seed's own; --published implies it"},
			&cli.BoolFlag{Name: "no-runs", Usage: "leave out the pages that look inside runs"},
			&cli.BoolFlag{Name: "verified", Usage: "leave out runs whose current files " +
				"verify --rescore has not verified"},
			&cli.GenericFlag{Name: "pool", Value: pools, Usage: "test all rows against the pools " +
				"in this directory (see pacebench pool); may be repeated"},
			&cli.BoolFlag{Name: "frontier", Usage: "show seeds against evaluations even for rows " +
				"with fewer than six seeds"},
			choiceFlag("select", string(results.ByTraining),
				"show the tests of the program that training chose, or with \"val\" of the "+
					"program that training and validation chose together", "rule",
				[]string{string(results.ByTraining), string(results.ByValidation)}),
			choiceFlag("bold", render.BoldSeparated, "mark rows unless the seeds say that another "+
				"row is better, or with \"paper\" the best mean, as the paper does", "rule",
				render.Bolds),
		}, machineFlags()...),
	}, 0, -1, func(cc *cli.Context) error {
		o := report.Options{
			Bold: cc.String("bold"), Published: cc.Bool("published"),
			Paper: cc.Bool("paper"), All: cc.Bool("all"), Frontier: cc.Bool("frontier"),
			Select: results.Choice(cc.String("select")),
		}
		if !cc.IsSet("paper") {
			o.Paper = suite.OfPaper(dirsOf(cc.Args())...)
		}
		opt, err := c.optionsWith(cc, files)
		if err != nil {
			return err
		}
		if err := holdsNoRuns(cc.String("out")); err != nil {
			return err
		}
		return opened(cc.Context, dirsOf(cc.Args()), func(in *input) error {
			w := reportOf{
				input: in, files: opt.Files, pools: pools.list,
				out: cc.String("out"), options: o,
				runs: !cc.Bool("no-runs"), verified: cc.Bool("verified"),
			}
			if !cc.Bool("pictures") {
				return c.writeReport(cc.Context, w)
			}
			// Find errors in the setup of Python before any file is written.
			if _, err := suite.OpenPython(cc.Context, opt, ""); err != nil {
				return err
			}
			stage := newStage(cc.Context, opt)
			w.stage = stage.show
			return errors.Join(c.writeReport(cc.Context, w), stage.Close())
		})
	})
}

// A reportOf selects the content and the form of a report.
type reportOf struct {
	*input
	files    *suite.Files // tasks and methods in Python
	out      string
	options  report.Options
	brief    bool       // print only main tables, which are enough for a first look
	verified bool       // leave out runs that are not verified
	pools    []string   // directories or bundles of pools
	runs     bool       // with pages that look inside runs
	stage    view.Stage // for pictures of winners; nil: no pictures
}

func dirsOf(args cli.Args) []string {
	if !args.Present() {
		return []string{runsDir}
	}
	return args.Slice()
}

// holdsNoRuns returns an error if the output directory of a command contains runs, because the
// files of the output would mix with the runs.
func holdsNoRuns(out string) error {
	runs, _, err := results.RunDirs(out)
	if err != nil || len(runs) == 0 {
		return nil // a new directory, or an error that the writer reports
	}
	return hint.Add(usagef("--out %s: this directory holds runs", out),
		"name another directory, for instance reports")
}

const hintNoRuns = "name a directory of runs, as written by run, suite or demo"

func (c *console) read(in *input, verified bool) (*results.Store, error) {
	store, err := suite.ReadRenamed(in.rename, in.dirs...)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, results.ErrNoDirectory) {
		return nil, hint.Add(usage(err), hintNoRuns)
	}
	if err != nil {
		return nil, err
	}
	found := len(store.Runs)
	if verified {
		store.KeepVerified()
	}
	for _, w := range store.Warnings {
		fmt.Fprintln(c.err, "pacebench: warning:", w)
	}
	if found > 0 && len(store.Runs) == 0 {
		return nil, hint.Add(errors.New("no run is verified"),
			"pacebench verify --rescore verifies runs and records the result")
	}
	return store, nil
}

func (c *console) writeReport(ctx context.Context, w reportOf) error {
	store, err := c.read(w.input, w.verified)
	if err != nil {
		return err
	}
	o := w.options
	o.Printed, o.Labels = data.Published, labels(w.files)
	err = opened(ctx, w.pools, func(in *input) error {
		o.Pools, err = c.readPools(in)
		return err
	})
	if err != nil {
		return err
	}
	if o.Separations, err = suite.Separations(store, w.dirs...); err != nil {
		return err
	}
	var runPages string
	if w.runs {
		runPages = "runs/index.html"
	}
	var banners []string
	var tables []report.Artifact[*report.Table]
	paths, err := report.Write(store, w.out, o, func(out io.Writer, r *report.Report) error {
		for _, task := range r.Tasks {
			tables = append(tables, task.Tables...)
		}
		tables, banners = append(tables, r.Across...), r.Banners
		return view.WriteReport(out, r, w.out, runPages)
	})
	if err != nil {
		return err
	}
	var pages string
	if w.runs {
		site := &view.Site{
			Store: store, Decoders: suite.Decoders(), Baseline: suite.IsBaseline,
			Tasks: o.Labels.Tasks, Methods: o.Labels.Methods,
			Report: "../report.html", Stage: w.stage,
		}
		if pages, err = site.Write(ctx, filepath.Join(w.out, "runs")); err != nil {
			return err
		}
	}
	for _, banner := range banners {
		fmt.Fprintf(c.out, "%s\n", render.Wrap(banner, c.width(render.TextWidth), ""))
	}
	for _, t := range tables {
		if w.brief && !strings.HasPrefix(t.Value.Name, "main-") {
			continue
		}
		if err := render.Print(c.out, t.Value, c.width(render.TextWidth)); err != nil {
			return err
		}
		fmt.Fprintln(c.out)
	}
	fmt.Fprintf(c.out, "Report: %s (%d files)\n", paths[0], len(paths))
	fmt.Fprintf(c.out, "How to read these tables: %s\n", filepath.Join(w.out, "reading.txt"))
	if pages != "" {
		fmt.Fprintf(c.out, "Inside the runs: %s\n", pages)
	}
	return nil
}
