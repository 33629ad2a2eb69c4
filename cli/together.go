package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
)

// These tables refuse combinations of flags in which a flag would have no effect.

// apart lists, by command, sets of flags that exclude each other.
var apart = map[string][][]string{
	"suite": {
		{"dry-run", "list", "until-separated", "power", "about", "slurm"},
		{"until-separated", "seeds"}, {"until-separated", "retry"},
		{"until-separated", "shard"}, {"until-separated", "run"},
		{"events", "dry-run"}, {"events", "list"}, {"events", "power"}, {"events", "slurm"},
		{"events", "until-separated"},
	},
	"pool": {
		{"check", "task"}, {"check", "method"}, {"check", "set"}, {"check", "runs"},
		{"check", "evals"}, {"check", "out"},
	},
	"verify": {
		{"rescore", "best"}, {"best", "method"}, {"best", "method-patience"}, {"best", "pass-env"},
	},
	"view":    {{"out", "listen"}, {"out", "allow-remote"}, {"out", "unsafe-sandbox"}},
	"report":  {{"no-runs", "pictures"}},
	"inspect": {{"why", "texts"}, {"why", "diff"}, {"json", "diff"}},
	"render":  {{"seed", "instance"}},
	"regress": {{"update", "tolerance"}},
	"pack":    {{"out", "without-pictures"}},
}

// A need names flags that have an effect only together with one of the flags in with.
type need struct{ flags, with []string }

var needed = map[string][]need{
	"suite": {{slurmNames(), []string{"slurm"}}},
	"verify": {
		{[]string{"tune", "no-record", "deepaco"}, []string{"rescore"}},
		{[]string{"time-scale", "jobs"}, []string{"rescore", "best"}},
	},
	"view":   {{[]string{"allow-remote"}, []string{"listen"}}},
	"report": {{[]string{"jobs", "unsafe-sandbox"}, []string{"pictures"}}},
}

// slurmNames returns the flags that need --slurm.
func slurmNames() (names []string) {
	for _, f := range slurmFlags(&settings{})[1:] {
		names = append(names, f.Names()[0])
	}
	return names
}

// together returns an error for flags that cannot be combined.
func together(cc *cli.Context) error {
	command := cc.Command.Name
	given := func(name string) bool {
		on, isBool := cc.Value(name).(bool)
		return cc.IsSet(name) && (on || !isBool)
	}
	help := "pacebench " + command + " --help lists the flags"
	for _, set := range apart[command] {
		set = slices.DeleteFunc(slices.Clone(set), func(name string) bool { return !given(name) })
		if len(set) > 1 {
			return hint.Add(usagef("--%s cannot be combined with --%s", set[1], set[0]), help)
		}
	}
	for _, n := range needed[command] {
		if slices.ContainsFunc(n.with, given) {
			continue
		}
		for _, name := range n.flags {
			if given(name) {
				with := "--" + strings.Join(n.with, " or --")
				return hint.Add(usagef("--%s needs %s", name, with),
					fmt.Sprintf("add %s; %s", with, help))
			}
		}
	}
	return nil
}
