package cli

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/suite"
)

// line is a command line with these flags.
func line(t *testing.T, command string, names ...string) []string {
	t.Helper()
	args := []string{"pacebench", command}
	for _, name := range names {
		args = append(args, "--"+name)
		i := slices.IndexFunc(flagsOf(t, command), func(f cli.Flag) bool {
			return f.Names()[0] == name
		})
		if i < 0 {
			t.Fatalf("%s has no --%s", command, name)
		}
		switch flagsOf(t, command)[i].(type) {
		case *cli.BoolFlag:
		case *cli.DurationFlag:
			args[len(args)-1] += "=5m"
		default:
			args[len(args)-1] += "=30"
		}
	}
	if slices.Contains([]string{"suite", "inspect", "render"}, command) {
		args = append(args, "ci")
	}
	return args
}

func flagsOf(t *testing.T, command string) []cli.Flag {
	t.Helper()
	return app(&console{}).Command(command).Flags
}

// TestFlagsThatDoNotWorkTogether tries every pair of flags in apart, and each flag in needed alone.
func TestFlagsThatDoNotWorkTogether(t *testing.T) {
	refused := func(says string, args []string) {
		t.Helper()
		var told bytes.Buffer
		if status := Main(args, nil, &bytes.Buffer{}, &told); status != 2 ||
			!strings.Contains(told.String(), says) || strings.Count(told.String(), "hint: ") != 1 {
			t.Errorf("%s: status %d\n%s", strings.Join(args, " "), status, told.String())
		}
	}
	for command, sets := range apart {
		for _, set := range sets {
			for i, a := range set {
				for _, b := range set[i+1:] {
					refused("--"+b+" cannot be combined with --"+a, line(t, command, a, b))
				}
			}
		}
	}
	for command, needs := range needed {
		for _, n := range needs {
			for _, name := range n.flags {
				refused("--"+name+" needs --"+strings.Join(n.with, " or --"),
					line(t, command, name))
			}
		}
	}
}

// TestJobsOfSlurmGetTheFlags checks that each flag of suite is passed to the jobs or listed in
// notForJobs, and that the values of a repeated flag arrive unchanged.
func TestJobsOfSlurmGetTheFlags(t *testing.T) {
	all := flagsOf(t, "suite")
	for _, name := range notForJobs {
		if !slices.ContainsFunc(all, func(f cli.Flag) bool { return f.Names()[0] == name }) {
			t.Errorf("suite has no --%s", name)
		}
	}
	var names []string
	for _, f := range handedOn(all) {
		names = append(names, f.Names()[0])
	}
	if len(names)+len(notForJobs) != len(all) {
		t.Errorf("%d flags, %d handed on, %d local", len(all), len(names), len(notForJobs))
	}
	a := app(&console{})
	command := a.Command("suite")
	var got []string
	command.Action = func(cc *cli.Context) error {
		got = slurmArguments(cc, handedOn(cc.Command.Flags), 3)
		return nil
	}
	args := []string{"pacebench", "suite", "--pass-env", "A", "--pass-env", "B C",
		"--method-patience", "7m", "--max-usd", "2", "ci"}
	must.Do(t, a.Run(args))
	want := []string{"--jobs=3", "'--max-usd=2'", "'--method-patience=7m0s'", "'--pass-env=A'",
		"'--pass-env=B C'"}
	if slices.Sort(got[1:]); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestReportJobOfSlurmGetsTheFlags checks that the report's job loads the suite's Python files in
// the same environment. Each flag that suite and report share is passed on, or is named here.
func TestReportJobOfSlurmGetsTheFlags(t *testing.T) {
	local := []string{"out", "jobs", "unsafe-sandbox", "quiet"} // report's own, or without effect
	for _, f := range flagsOf(t, "suite") {
		name := f.Names()[0]
		shared := slices.ContainsFunc(flagsOf(t, "report"), func(r cli.Flag) bool {
			return r.Names()[0] == name
		})
		wanted := shared && !slices.Contains(local, name)
		if handed := slices.Contains(forReport, name); handed != wanted {
			t.Errorf("--%s: handed on %v, want %v", name, handed, wanted)
		}
	}
	s := &suite.Suite{Group: []suite.Group{
		{Tasks: []string{"tsp-aco", "./a b.py", "llm4ad:x"}, Methods: []string{"pace", "./m.py"}},
		{Tasks: []string{"./a b.py"}, Methods: []string{"./m.py"}},
	}}
	a := app(&console{})
	var got []string
	a.Command("suite").Action = func(cc *cli.Context) error {
		got = reportArguments(cc, s)
		return nil
	}
	must.Do(t, a.Run([]string{"pacebench", "suite", "--jobs", "3", "--evals", "7", "--quiet",
		"--env", "paper", "--python", "/p y", "--llm4ad", "there", "ci"}))
	want := []string{"'--task=./a b.py'", "'--method=./m.py'", "'--task=llm4ad:x'",
		"'--env=paper'", "'--python=/p y'", "'--llm4ad=there'"}
	slices.Sort(got)
	if slices.Sort(want); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
