package cli

import (
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/pacebench/pacebench/suite"
	"github.com/urfave/cli/v2"
)

func (c *console) statusCommand() *cli.Command {
	return command(cli.Command{
		Name:        "status",
		Usage:       "show which runs are done, running (and where), waiting or failed",
		Description: "pacebench status",
		ArgsUsage:   "[DIR]",
	}, 0, 1, func(cc *cli.Context) error {
		all, warnings, err := suite.ReadStatus(dirsOf(cc.Args())[0])
		if err != nil {
			return err
		}
		for _, w := range warnings {
			fmt.Fprintln(c.err, "pacebench: warning:", w)
		}
		return c.printRuns(all)
	})
}

func (c *console) printRuns(all []*suite.RunStatus) error {
	runs, evaluations, budgets := map[string]int{}, map[string]int{}, map[string]int{}
	left, rate, paced := 0, 0.0, 0
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "RUN\tSTATE\tEVALUATIONS\t")
	for _, s := range all {
		runs[s.State]++
		evaluations[s.State] += s.Evaluations
		budgets[s.State] += s.Budget
		if s.State == suite.StateRunning && s.PerSecondSet {
			rate, paced = rate+s.PerSecond, paced+1
		}
		if s.State != suite.StateDone {
			left += max(0, s.Budget-s.Evaluations)
			fmt.Fprintf(w, "%s\t%s\t%d/%d\t%s\n", s.Run, s.State, s.Evaluations, s.Budget, s.Note)
		}
	}
	if runs[suite.StateDone] < len(all) {
		fmt.Fprintln(w, "\t\t\t")
	}
	for _, state := range suite.States {
		if runs[state] > 0 {
			fmt.Fprintf(w, "%s\t%s\t%d/%d\t\n",
				counted(runs[state], "run"), state, evaluations[state], budgets[state])
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if rate > 0 && left > 0 {
		eta := time.Duration(float64(left) / rate * float64(time.Second))
		fmt.Fprintf(c.out, "\n%.1f evaluations a minute in %s; "+
			"at this pace, the rest (%s) takes %s\n",
			60*rate, counted(paced, "run"), counted(left, "evaluation"),
			max(eta.Round(time.Minute), time.Minute))
	}
	if runs[suite.StateStale] > 0 {
		fmt.Fprintln(c.out, "\nstale: the run's process is dead, or gave no sign of life for too "+
			"long if the clocks of both machines are right; the next command takes the run over")
	}
	return nil
}
