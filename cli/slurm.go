package cli

import (
	_ "embed"
	"fmt"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/suite"
)

// slurmFlags returns the flags for Slurm, --slurm first.
func slurmFlags(sbatch *settings) []cli.Flag {
	return under("Slurm",
		&cli.BoolFlag{Name: "slurm", Usage: "instead of making the runs, write a Slurm array " +
			"with one job for each run, or for --group runs"},
		&cli.StringFlag{Name: "partition",
			Usage: "partition of the jobs; empty: the cluster's default"},
		&cli.StringFlag{Name: "time", Usage: "time limit of a job, as sbatch accepts it; " +
			"a job that needs more time is queued again and continues"},
		timeoutFlag("stop-before", 2*time.Minute,
			"a job stops this long before its time limit and is queued again"),
		intFlag("group", 1, 1, suite.MaxSeeds, "runs of one job; raise it if an array is too long"),
		intFlag("at-once", 0, 0, suite.MaxSeeds,
			"jobs that run concurrently; 0: as many as Slurm starts"),
		&cli.GenericFlag{Name: "sbatch", Value: sbatch,
			Usage: "a further option of sbatch, as in --sbatch=--account=lab; may be repeated"},
		&cli.BoolFlag{Name: "submit",
			Usage: "submit the jobs, and a job that makes the report after them"},
	)
}

// notForJobs are flags of suite that its jobs do not repeat: flags that select other work than
// making runs, flags that each job sets itself, --events, and flags for Slurm.
var notForJobs = append([]string{
	"dry-run", "list", "until-separated", "power", "about", "events", "slurm",
	"out", "jobs", "shard", "run",
}, slurmNames()...)

// handedOn returns the flags that jobs repeat: all flags except notForJobs.
func handedOn(all []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(all), func(f cli.Flag) bool {
		return slices.Contains(notForJobs, f.Names()[0])
	})
}

// forReport are the flags that the report's job repeats, too, because it loads the same Python
// files.
var forReport = []string{"env", "python", "llm4ad"}

// reportArguments returns the flags of the report's job, quoted for the shell.
func reportArguments(cc *cli.Context, s *suite.Suite) []string {
	repeated := slices.DeleteFunc(slices.Clone(cc.Command.Flags), func(f cli.Flag) bool {
		return !slices.Contains(forReport, f.Names()[0])
	})
	return append(suite.ReportFiles(s), slurmArguments(cc, repeated, 0)[1:]...)
}

// slurm writes the jobs of a suite, and with --submit submits them. Jobs repeat the given flags.
func (c *console) slurm(cc *cli.Context, o suite.Options, s *suite.Suite, sbatch []string) error {
	j := &suite.SlurmJob{
		Partition: cc.String("partition"), Time: cc.String("time"), AtOnce: cc.Int("at-once"),
		CPUs: 4, Options: sbatch, Suite: suite.Quoted(cc.Args().First()),
	}
	if o.Given["jobs"] { // the default would describe this machine, not the nodes
		j.CPUs = o.Jobs
	}
	j.Flags = slurmArguments(cc, handedOn(cc.Command.Flags), j.CPUs)
	j.Reports = reportArguments(cc, s)
	group := cc.Int("group")
	if !cc.IsSet("group") {
		group = 0
	}
	if err := j.Plan(cc.Context, o, s, group, cc.Duration("stop-before")); err != nil {
		return err
	}
	if j.Jobs == 0 {
		fmt.Fprintln(o.Notes, "pacebench: every run is finished: nothing to submit")
		return nil
	}
	scripts, err := j.Write()
	if err != nil {
		return err
	}
	if !cc.Bool("submit") {
		for _, path := range scripts {
			fmt.Fprintln(c.out, path)
		}
		fmt.Fprintf(o.Notes, "pacebench: %s; submit the first script with sbatch, and after its "+
			"jobs the report's script; or repeat the command with --submit\n",
			counted(j.Jobs, "job"))
		return nil
	}
	err = suite.SubmitSlurm(cc.Context, c.out, scripts)
	if err == nil {
		fmt.Fprintf(o.Notes, "pacebench: next: pacebench status %s\n", o.Out)
	}
	return err
}

// slurmArguments returns --jobs and those of the repeated flags that are set, quoted for the shell.
func slurmArguments(cc *cli.Context, repeated []cli.Flag, cpus int) []string {
	given := []string{fmt.Sprintf("--jobs=%d", cpus)}
	for _, f := range repeated {
		name := f.Names()[0]
		if !cc.IsSet(name) {
			continue
		}
		values, several := cc.Value(name).([]string)
		if !several {
			values = []string{fmt.Sprint(cc.Value(name))}
		}
		for _, value := range values {
			given = append(given, suite.Quoted("--"+name+"="+value))
		}
	}
	return given
}
