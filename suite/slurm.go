package suite

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/record/journal"
)

//go:embed slurm.tmpl
var slurmText string

var slurmScript = template.Must(template.New("slurm").Parse(slurmText))

// SlurmDir is the folder in a results directory for Slurm's scripts and logs.
const SlurmDir = ".slurm"

type SlurmJob struct {
	Name, Dir, Here, Tool, Out, Partition, Time string // paths are absolute
	Cache                                       string
	Options, Flags, Reports                     []string // Flags are for suite, Quoted
	Suite                                       string   // Quoted
	Groups                                      []string // the runs of each job
	Jobs, AtOnce, CPUs, StopBefore              int
	Report                                      bool
}

// Plan sets up the Python environment once for all jobs, and assigns runs to the jobs.
func (j *SlurmJob) Plan(ctx context.Context, o Options, s *Suite, group int,
	stop time.Duration) error {
	all, err := s.Plan(o)
	if err != nil {
		return err
	}
	runs, err := Chosen(o, all)
	if err != nil {
		return err
	}
	try := func(w *Backend) error { return w.TryTasks(ctx, o, runs) }
	if err := WithBackend(ctx, o, try, TasksOf(runs)...); err != nil {
		return err
	}
	j.StopBefore, j.Cache = int(stop.Seconds()), os.Getenv("XDG_CACHE_HOME")
	for _, option := range j.Options {
		if !strings.HasPrefix(option, "-") {
			return hint.Add(Usagef("--sbatch %q: an option must begin with a dash", option),
				"as in --sbatch=--account=lab")
		}
	}
	if stop < time.Second {
		return Usagef("--stop-before %s: must be at least 1s", stop)
	}
	limit, err := slurmTime(j.Time)
	if err != nil {
		return err
	}
	if limit > 0 && limit <= stop {
		return hint.Add(
			Usagef("--time %s: a job that stops %s before its time limit does nothing",
				j.Time, stop),
			"--stop-before must be shorter than --time")
	}
	for _, option := range append(j.Options, j.Partition, j.Time, j.Cache) {
		if strings.ContainsAny(option, "\n\r") {
			return Usagef("%q: an option of sbatch must not contain a line break", option)
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
	j.Name = SafeName(s.Name)
	j.Dir = filepath.Join(j.Out, SlurmDir)
	// sbatch replaces patterns such as %j in a path, and a path cannot be quoted.
	if strings.ContainsAny(j.Dir, "%\"'#\\ \t\n") {
		return Usagef("--out %s: sbatch does not accept this name: "+
			"it has white space, %%, #, a quote or a backslash", j.Out)
	}
	j.Groups = Groups(runs, j.Out, max(1, group))
	most, known := maxArray(ctx)
	if n := len(j.Groups); n > most {
		size := max(1, group) * ((n + most - 1) / most)
		switch {
		case group == 0 && known:
			j.Groups = Groups(runs, j.Out, size)
			fmt.Fprintf(o.Notes, "pacebench: a job makes several runs (--group %d), because "+
				"this cluster's MaxArraySize allows only %d jobs\n", size, most)
		case known:
			return hint.Add(Usagef(
				"--group %d makes %d jobs, but this cluster's MaxArraySize allows %d",
				group, n, most), fmt.Sprintf("use --group %d", size))
		default:
			fmt.Fprintf(o.Notes, "pacebench: note: %d jobs; a cluster with Slurm's default "+
				"MaxArraySize accepts %d; use --group %d there\n", n, most, size)
		}
	}
	j.Jobs = len(j.Groups)
	WritePlan(j.Out, s, all)
	return nil
}

// usualArray is the largest number of jobs in an array with Slurm's default MaxArraySize, 1001.
// MaxArraySize bounds the indices, which begin with 1 here.
const usualArray = 1000

// maxArray returns the number of jobs that this cluster allows in an array. known is false if Slurm
// does not report the number.
func maxArray(ctx context.Context) (most int, known bool) {
	out, err := exec.CommandContext(ctx, "scontrol", "show", "config").Output()
	m := regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)`).FindSubmatch(out)
	if err != nil || m == nil {
		return usualArray, false
	}
	n, err := strconv.Atoi(string(m[1]))
	return max(1, n-1), err == nil
}

// ReportFiles returns the flags of pacebench report that name the Python files of a suite's tasks
// and methods.
func ReportFiles(s *Suite) (flags []string) {
	add := func(flag, name string) {
		if f := Quoted("--" + flag + "=" + name); !slices.Contains(flags, f) {
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

// slurmTime parses a time limit in sbatch's format. It returns 0 for an unlimited time.
func slurmTime(text string) (limit time.Duration, err error) {
	if text == "" || strings.EqualFold(text, "unlimited") || strings.EqualFold(text, "infinite") {
		return 0, nil
	}
	bad := hint.Add(Usagef("--time %s: not a time limit", text),
		"write M, M:S, H:M:S, D-H, D-H:M, D-H:M:S or UNLIMITED")
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
		n, err := strconv.ParseUint(part, 10, 20) // 20 bits hold a century of hours
		if err != nil || i == len(units) {
			return 0, bad
		}
		limit += time.Duration(n) * units[i]
	}
	return limit, nil
}

func Quoted(word string) string {
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// Quoted makes the function available to the script's template.
func (j *SlurmJob) Quoted(word string) string { return Quoted(word) }

// Write writes the scripts of the array and of the report. sbatch copies the scripts, so they may
// be overwritten for other runs while jobs wait.
func (j *SlurmJob) Write() (scripts []string, err error) {
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

// SubmitSlurm submits the array, and the report that starts after the array has ended.
func SubmitSlurm(ctx context.Context, out io.Writer, scripts []string) error {
	var id string
	for i, script := range scripts {
		args := []string{"--parsable"}
		if i > 0 {
			args = append(args, "--dependency=afterany:"+id)
		}
		answer, err := exec.CommandContext(
			ctx, "sbatch", append(args, script)...).CombinedOutput()
		text := strings.TrimSpace(string(answer))
		if err != nil {
			return hint.Add(fmt.Errorf("sbatch %s: %w: %s", script, err, text),
				"without --submit pacebench only writes the scripts; sbatch is part of Slurm")
		}
		lines := strings.Split(text, "\n")
		job, _, _ := strings.Cut(lines[len(lines)-1], ";") // ID;CLUSTER
		if i == 0 {
			id = job
		}
		fmt.Fprintf(out, "%s: job %s\n", script, job)
	}
	return nil
}
