package cli

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/suite"
	"github.com/urfave/cli/v2"
)

// demoSuite is the README's first command: a complete benchmark in a few minutes.
var demoSuite = suite.Suite{
	Name: "demo", About: "PACE, EoH and random sampling on TSP-Construct",
	Group: []suite.Group{{
		Tasks: []string{"tsp-construct"}, Methods: []string{"randsample", "eoh", "pace"},
	}},
}

func (c *console) demoCommand() *cli.Command {
	return command(cli.Command{
		Name:        "demo",
		Usage:       "try it: PACE and two baselines with the embedded model, and a table",
		Description: "pacebench demo",
		ArgsUsage:   " ",
		Flags: slices.Concat([]cli.Flag{
			seedsFlag("1,2,3"), evalsFlag(demoEvals), runsFlag(),
			timeScaleFlag(timeScaleUsage),
			outFlag("report", "reports", "directory of the report"),
			outFlag("out", runsDir, "directory of all runs"),
			testFlag(suite.Cheap),
		}, modelFlags(), machineFlags()),
	}, 0, 0, func(cc *cli.Context) error {
		o := c.options(cc)
		o.Retry = true
		done, err := runSuite(cc.Context, o, &demoSuite)
		if err != nil {
			return err
		}
		dirs := suite.Map(done, func(f suite.Finished) string { return f.Dir })
		if err := c.writeReport(cc.Context, reportOf{
			input: &input{dirs: dirs}, out: cc.String("report"), brief: true, runs: true,
		}); err != nil {
			return err
		}
		next := uint64(0)
		for _, f := range done {
			next = max(next, f.Header.Seed+1)
		}
		fmt.Fprintf(c.out, "\nNext: %s run --task tsp-construct --method pace --seed %d\n",
			calledAs(), next)
		return unscored(done)
	})
}

// calledAs returns the words that start this program, in a checkout or installed.
func calledAs() string {
	if exe, err := os.Executable(); err == nil && strings.Contains(exe, "go-build") {
		return "go run ."
	}
	return "pacebench"
}

// demoEvals keeps the demo under five minutes on two cores.
const demoEvals = 150
