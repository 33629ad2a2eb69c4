package cli

import (
	"context"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
)

//go:embed slurm.tmpl
var slurmText string

var slurmScript = template.Must(template.New("slurm").Parse(slurmText))

// slurmDir has what Slurm needs of a results directory: scripts and logs.
const slurmDir = ".slurm"

// slurmFlags are those of --slurm, which comes first.
func slurmFlags(sbatch *settings) []cli.Flag {
	return under("Slurm",
		&cli.BoolFlag{Name: "slurm", Usage: "write a Slurm array job in place of making the " +
			"runs, one element for each run"},
		&cli.StringFlag{Name: "partition",
			Usage: "partition of the jobs; empty: the cluster's default"},
		&cli.StringFlag{Name: "time", Usage: "time limit of a job, as sbatch takes it; " +
			"a job that meets it is queued again and goes on"},
		timeoutFlag("stop-before", 2*time.Minute,
			"how long before its time limit a job stops and is queued again"),
		intFlag("group", 1, 1, suite.MaxSeeds, "runs of one job; more where an array is too long"),
		intFlag("at-once", 0, 0, suite.MaxSeeds,
			"jobs under way at once; 0: as many as Slurm starts"),
		&cli.GenericFlag{Name: "sbatch", Value: sbatch,
			Usage: "a further option of sbatch, as in --sbatch=--account=lab; may be repeated"},
		&cli.BoolFlag{Name: "submit",
			Usage: "submit the jobs, and the one that makes the report after them"},
	)
}

// notForJobs are the flags of suite that its jobs do not repeat: what is done instead of the runs,
// what a job is given otherwise, and what Slurm is told.
var notForJobs = append([]string{
	"dry-run", "list", "until-separated", "power", "about", "events", "slurm",
	"out", "jobs", "shard", "run",
}, slurmNames()...)

// handedOn are the flags that jobs repeat: all others.
func handedOn(all []cli.Flag) []cli.Flag {
	return slices.DeleteFunc(slices.Clone(all), func(f cli.Flag) bool {
		return slices.Contains(notForJobs, f.Names()[0])
	})
}

// forReport are the flags that the report's job repeats, too: it loads the same files in Python.
var forReport = []string{"env", "python", "llm4ad"}

// reportArguments are the flags of the report's job, as the shell reads them.
func reportArguments(cc *cli.Context, s *suite.Suite) []string {
	repeated := slices.DeleteFunc(slices.Clone(cc.Command.Flags), func(f cli.Flag) bool {
		return !slices.Contains(forReport, f.Names()[0])
	})
	return append(reportFiles(s), slurmArguments(cc, repeated, 0)[1:]...)
}

// slurm writes the jobs of a suite, and submits them with --submit. Jobs repeat the given flags.
func (c *console) slurm(cc *cli.Context, o suite.Options, s *suite.Suite, sbatch []string) error {
	j := &slurmJob{
		Partition: cc.String("partition"), Time: cc.String("time"), AtOnce: cc.Int("at-once"),
		CPUs: 4, Options: sbatch, Suite: quoted(cc.Args().First()),
	}
	if o.Given["jobs"] { // this machine says nothing of those that work
		j.CPUs = o.Jobs
	}
	j.Flags = slurmArguments(cc, handedOn(cc.Command.Flags), j.CPUs)
	j.Reports = reportArguments(cc, s)
	group := cc.Int("group")
	if !cc.IsSet("group") {
		group = 0
	}
	if err := j.plan(cc.Context, o, s, group, cc.Duration("stop-before")); err != nil {
		return err
	}
	if j.Jobs == 0 {
		fmt.Fprintln(o.Notes, "pacebench: every run is finished: nothing to submit")
		return nil
	}
	scripts, err := j.write()
	if err != nil {
		return err
	}
	if !cc.Bool("submit") {
		for _, path := range scripts {
			fmt.Fprintln(c.out, path)
		}
		fmt.Fprintf(o.Notes, "pacebench: %d jobs; sbatch them, the report after the "+
			"array, or repeat the command with --submit\n", j.Jobs)
		return nil
	}
	err = c.submit(cc.Context, scripts)
	if err == nil {
		fmt.Fprintf(o.Notes, "pacebench: next: pacebench status %s\n", o.Out)
	}
	return err
}

// A slurmJob is what the script says.
type slurmJob struct {
	Name, Dir, Here, Tool, Out, Partition, Time string // paths are absolute
	Cache                                       string
	Options, Flags, Reports                     []string // Flags: of suite, quoted
	Suite                                       string   // quoted
	Groups                                      []string // the runs of each job
	Jobs, AtOnce, CPUs, StopBefore              int
	Report                                      bool
}

// plan sets up the environment of the runs, once for all jobs, and says what these do, each some
// runs.
func (j *slurmJob) plan(ctx context.Context, o suite.Options, s *suite.Suite, group int,
	stop time.Duration) error {
	all, err := s.Spell(o)
	if err != nil {
		return err
	}
	runs, err := suite.Chosen(o, all)
	if err != nil {
		return err
	}
	try := func(w *suite.Backend) error { return w.TryTasks(ctx, o, runs) }
	if err := suite.WithBackend(ctx, o, try, suite.TasksOf(runs)...); err != nil {
		return err
	}
	j.StopBefore, j.Cache = int(stop.Seconds()), os.Getenv("XDG_CACHE_HOME")
	for _, option := range j.Options {
		if !strings.HasPrefix(option, "-") {
			return hint.Add(usagef("--sbatch %q: an option begins with a dash", option),
				"as in --sbatch=--account=lab")
		}
	}
	if stop < time.Second {
		return usagef("--stop-before %s: must be at least 1s", stop)
	}
	limit, err := slurmTime(j.Time)
	if err != nil {
		return err
	}
	if limit > 0 && limit <= stop {
		return hint.Add(
			usagef("--time %s: a job that stops %s before its time limit does nothing",
				j.Time, stop),
			"--stop-before must be shorter than --time")
	}
	for _, option := range append(j.Options, j.Partition, j.Time, j.Cache) {
		if strings.ContainsAny(option, "\n\r") {
			return usagef("%q: an option of sbatch is one line", option)
		}
	}
	if j.Tool, err = os.Executable(); err != nil {
		return err
	}
	if j.Here, err = os.Getwd(); err != nil {
		return err
	}
	if j.Out, err = filepath.Abs(o.Out); err != nil {
		return err
	}
	j.Name = suite.SafeName(s.Name)
	j.Dir = filepath.Join(j.Out, slurmDir)
	// sbatch replaces %j and its like, and quotes nothing.
	if strings.ContainsAny(j.Dir, "%\"'#\\ \t\n") {
		return usagef("--out %s: sbatch takes no such name: "+
			"it has a space, %%, #, a quote or a backslash", j.Out)
	}
	j.Groups = suite.Groups(runs, j.Out, max(1, group))
	most, known := maxArray(ctx)
	if n := len(j.Groups); n > most {
		size := max(1, group) * ((n + most - 1) / most)
		switch {
		case group == 0 && known:
			j.Groups = suite.Groups(runs, j.Out, size)
			fmt.Fprintf(o.Notes, "pacebench: %d runs make one job, as this cluster's "+
				"MaxArraySize allows %d jobs; --group %d\n", size, most, size)
		case known:
			return hint.Add(usagef("--group %d: %d jobs, and this cluster's MaxArraySize allows %d",
				group, n, most), fmt.Sprintf("--group %d", size))
		default:
			fmt.Fprintf(o.Notes, "pacebench: note: %d jobs; a cluster with Slurm's usual "+
				"MaxArraySize takes %d: --group %d\n", n, most, size)
		}
	}
	j.Jobs = len(j.Groups)
	suite.WritePlan(j.Out, s, all)
	return nil
}

// usualArray is how many jobs an array has with Slurm's usual MaxArraySize, 1001: it bounds the
// indices, which begin with 1 here.
const usualArray = 1000

// maxArray is how many jobs an array of this cluster may have, and whether Slurm says so.
func maxArray(ctx context.Context) (most int, known bool) {
	out, err := exec.CommandContext(ctx, "scontrol", "show", "config").Output()
	m := regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`).FindSubmatch(out)
	if err != nil || m == nil {
		return usualArray, false
	}
	n, err := strconv.Atoi(string(m[1]))
	return max(1, n-1), err == nil
}

// reportFiles names the files in Python of a suite for its report.
func reportFiles(s *suite.Suite) (flags []string) {
	add := func(flag, name string) {
		if f := quoted("--" + flag + "=" + name); !slices.Contains(flags, f) {
			flags = append(flags, f)
		}
	}
	for _, g := range s.Group {
		for _, name := range g.Tasks {
			if pytask.Named(name) {
				add("task", name)
			}
		}
		for _, name := range g.Methods {
			if pymethod.Named(name) {
				add("method", name)
			}
		}
	}
	return flags
}

// slurmTime reads a time limit in sbatch's words; 0 is one without end.
func slurmTime(text string) (limit time.Duration, err error) {
	if text == "" || strings.EqualFold(text, "unlimited") || strings.EqualFold(text, "infinite") {
		return 0, nil
	}
	bad := hint.Add(usagef("--time %s: not a time limit", text),
		"M, M:S, H:M:S, D-H, D-H:M, D-H:M:S or UNLIMITED")
	units := []time.Duration{time.Hour, time.Minute, time.Second}
	days, rest, dashed := strings.Cut(text, "-")
	if dashed {
		n, err := strconv.ParseUint(days, 10, 15)
		if err != nil {
			return 0, bad
		}
		limit = time.Duration(n) * 24 * time.Hour
	} else {
		rest = text
		if strings.Count(text, ":") < 2 {
			units = units[1:]
		}
	}
	for i, part := range strings.Split(rest, ":") {
		n, err := strconv.ParseUint(part, 10, 20) // a century of hours; and the sum is no overflow
		if err != nil || i == len(units) {
			return 0, bad
		}
		limit += time.Duration(n) * units[i]
	}
	return limit, nil
}

// slurmArguments are the flags that jobs repeat, as the shell reads them.
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
			given = append(given, quoted("--"+name+"="+value))
		}
	}
	return given
}

// quoted is a word as the shell reads it.
func quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Quoted is for the script.
func (j *slurmJob) Quoted(word string) string { return quoted(word) }

// write writes the scripts of the array and of the report. sbatch takes a copy: they may be written
// again, for other runs, while jobs wait.
func (j *slurmJob) write() (scripts []string, err error) {
	if err := os.MkdirAll(j.Dir, 0o755); err != nil {
		return nil, err
	}
	for _, j.Report = range []bool{false, true} {
		var text strings.Builder
		if err := slurmScript.Execute(&text, j); err != nil {
			return nil, err
		}
		path := filepath.Join(j.Dir, j.Name+".sh")
		if j.Report {
			path = filepath.Join(j.Dir, j.Name+"-report.sh")
		}
		if err := journal.WriteFile(path, []byte(text.String())); err != nil {
			return nil, err
		}
		scripts = append(scripts, path)
	}
	return scripts, nil
}

// submit submits the array, and the report for when all its elements have ended.
func (c *console) submit(ctx context.Context, scripts []string) error {
	var id string
	for i, script := range scripts {
		args := []string{"--parsable"}
		if i > 0 {
			args = append(args, "--dependency=afterany:"+id)
		}
		out, err := exec.CommandContext(
			ctx, "sbatch", append(args, script)...).CombinedOutput()
		text := strings.TrimSpace(string(out))
		if err != nil {
			return hint.Add(fmt.Errorf("sbatch %s: %w: %s", script, err, text),
				"without --submit the scripts are written only; sbatch is Slurm's")
		}
		lines := strings.Split(text, "\n")
		job, _, _ := strings.Cut(lines[len(lines)-1], ";") // ID;CLUSTER
		if i == 0 {
			id = job
		}
		fmt.Fprintf(c.out, "%s: job %s\n", script, job)
	}
	return nil
}
