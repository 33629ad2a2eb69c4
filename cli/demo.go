package cli

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) demoCommand() *cli.Command {
	return command(cli.Command{
		Name:        "demo",
		Usage:       "try it: PACE, EoH and random sampling with a model's recorded answers",
		Description: "pacebench demo",
		ArgsUsage:   " ",
		Flags: slices.Concat([]cli.Flag{
			intFlag("evals", *suite.Demo().Evals, 1, *suite.Demo().Evals,
				"budget of each run: number of program evaluations"),
			runsFlag(), timeScaleFlag(timeScaleUsage),
			outFlag("report", "reports", "directory of the report"),
			outFlag("out", runsDir, "directory of all runs"),
			testFlag(suite.Cheap),
		}, machineFlags()),
	}, 0, 0, func(cc *cli.Context) error {
		tmp, err := os.MkdirTemp("", "pacebench-demo-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(tmp)
		file := filepath.Join(tmp, "recording.tar.zst")
		if err := os.WriteFile(file, data.Demo, 0o600); err != nil {
			return err
		}
		return opened(cc.Context, []string{file}, func(in *input) error {
			return c.demo(cc, in.dirs[0])
		})
	})
}

// demo makes the runs with the answers of the runs in the directory recording.
func (c *console) demo(cc *cli.Context, recording string) error {
	o := c.options(cc)
	o.Retry, o.Seeds, o.Model = true, "1", string(llm.SpecReplay)+":"+recording
	o.Given["model"] = true // instead of the server that the suite names
	demo := suite.Demo()
	recorded := func(p *suite.Planned) (*record.Loaded, error) {
		return record.Load(suite.RunDir(recording, p.Header))
	}
	planned, err := demo.Plan(o)
	if err != nil {
		return err
	}
	first, err := recorded(planned[0])
	if err != nil {
		return err
	}
	_, model, _ := strings.Cut(first.Header.Models[""], ":")
	fmt.Fprintf(c.out, "%s wrote these programs on %s; this machine evaluates them.\n",
		model, first.Began)
	done, err := runSuite(cc.Context, o, demo)
	if errors.Is(err, llm.ErrNotRecorded) {
		err = hint.Add(err, "a score differs from the recording, which was made with "+
			first.Header.Class()+" (pacebench doctor shows the class of this machine)")
	}
	if err != nil {
		return err
	}
	dirs := suite.Map(done, func(f suite.Finished) string { return f.Dir })
	if err := c.writeReport(cc.Context, reportOf{
		input: &input{dirs: dirs}, out: cc.String("report"), brief: true, runs: true,
	}); err != nil {
		return err
	}
	n := 0
	for _, f := range done {
		was, err := recorded(f.Planned)
		if err != nil {
			return err
		}
		now, err := record.Load(f.Dir)
		if err == nil {
			err = compareRuns(was, now, &n)
		}
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(c.out, "\nAll %d evaluations and tests have the scores of the recording.\n", n)
	fmt.Fprintf(c.out, "\nNext: %s run --task tsp-construct --method pace\n", calledAs())
	return unscored(done)
}

// compareRuns compares the evaluations and the tests of a run with its recording, which may be
// longer. It adds the number of compared scores to n.
func compareRuns(was, now *record.Loaded, n *int) error {
	classes := record.ArithmeticDifference(was.Header, now.Header)
	same := func(what string, here, recorded any) error {
		if *n++; here != recorded {
			return hint.Add(fmt.Errorf("%s: %s: %v here, %v in the recording",
				now.Dir, what, here, recorded), classes)
		}
		return nil
	}
	score := func(fault *record.Fault, score float64) any {
		if fault != nil {
			return fault.Kind
		}
		return score
	}
	old, all := evaluationsOf(was), evaluationsOf(now)
	whole := now.Header.Budget == was.Header.Budget
	if whole && len(all) != len(old) {
		return hint.Add(fmt.Errorf("%s: %d programs here, %d in the recording",
			now.Dir, len(all), len(old)), classes)
	}
	for i, e := range all {
		if i >= len(old) || e.Source != old[i].Source {
			return hint.Add(fmt.Errorf("%s: program %d differs from the recording",
				now.Dir, i+1), classes)
		}
		if err := same(fmt.Sprintf("program %d", i+1), score(e.Fault, e.Score),
			score(old[i].Fault, old[i].Score)); err != nil {
			return err
		}
	}
	if !whole {
		return nil // another program may have been tested
	}
	for _, split := range slices.Sorted(maps.Keys(now.Result.Tests)) {
		r, s := was.Result.Tests[split], now.Result.Tests[split]
		if r == nil {
			continue
		}
		if err := same(split, score(s.Fault, s.Mean), score(r.Fault, r.Mean)); err != nil {
			return err
		}
	}
	return nil
}

func evaluationsOf(l *record.Loaded) (all []record.Evaluation) {
	for s := range l.Steps() {
		all = append(all, s.Evaluations...)
	}
	return all
}

// calledAs returns the command that starts this program: "go run ." if Go built it for go run.
func calledAs() string {
	if exe, err := os.Executable(); err == nil && strings.Contains(exe, "go-build") {
		return "go run ."
	}
	return "pacebench"
}
