package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/report/render"
)

// overview returns the text of --help: the commands by group, each with an example from its
// Description.
func overview(commands []*cli.Command) string {
	var b strings.Builder
	b.WriteString("{{.Name}} - {{.Usage}}\n\nUSAGE:\n   pacebench COMMAND [flags] [arguments]\n")
	group := ""
	for _, cmd := range commands {
		if cmd.Hidden {
			continue
		}
		if cmd.Category != group {
			group = cmd.Category
			fmt.Fprintf(&b, "\n%s:\n", strings.ToUpper(group))
		}
		fmt.Fprintf(&b, "   %-10s  %s\n   %-10s    %s\n", cmd.Name, cmd.Usage, "", cmd.Description)
	}
	return b.String() + "\npacebench COMMAND --help lists the flags of a command.\n" +
		"pacebench --version prints the version.\n" +
		"pacebench completion bash (or zsh, fish) prints the completion script of that shell.\n"
}

// The categories of flags that several commands share; the help of run describes these flags.
const (
	modelCategory       = "model"
	environmentCategory = "environment"
)

// manual returns the text of --help for a command: first its own flags, then the shared flags by
// category.
func manual(cmd *cli.Command) string {
	var b strings.Builder
	b.WriteString(`NAME:
   {{template "helpNameTemplate" .}}

USAGE:
   {{template "usageTemplate" .}}{{with .Description}}

EXAMPLE:
   {{.}}{{end}}

OPTIONS:
`)
	var categories []string
	flags, names := map[string]string{}, map[string]string{}
	for _, f := range cmd.Flags {
		if !f.(cli.VisibleFlag).IsVisible() {
			continue
		}
		c := f.(cli.CategorizableFlag).GetCategory()
		if c != "" && !slices.Contains(categories, c) {
			categories = append(categories, c)
		}
		flags[c] += "   " + strings.TrimSuffix(f.String(), " (default: false)") + "\n"
		names[c] += " --" + f.Names()[0]
	}
	b.WriteString(flags[""] + "   --help, -h\tshow help\n")
	for _, c := range categories {
		text := flags[c]
		if cmd.Name != "run" && (c == modelCategory || c == environmentCategory) {
			text = render.Wrap(names[c]+"; pacebench run --help describes them",
				render.TextWidth, "   ")
		}
		fmt.Fprintf(&b, "\n%s:\n%s", strings.ToUpper(c), text)
	}
	if strings.Contains(flags[""], "--task") || cmd.Name == "check-task" || cmd.Name == "lock" {
		b.WriteString("\n" + render.Wrap(trusted, render.TextWidth, ""))
	}
	return b.String()
}

// trusted is the warning about Python files in the help of commands that run them.
const trusted = "A task file and a method file are trusted code. They run with your " +
	"permissions: read a file from someone else before you run it."

func under(category string, flags ...cli.Flag) []cli.Flag {
	for _, f := range flags {
		switch f := f.(type) {
		case *cli.StringFlag:
			f.Category = category
		case *cli.BoolFlag:
			f.Category = category
		case *cli.GenericFlag:
			f.Category = category
		case *cli.Float64Flag:
			f.Category = category
		case *cli.DurationFlag:
			f.Category = category
		case decimalInt:
			f.Category = category
		}
	}
	return flags
}
