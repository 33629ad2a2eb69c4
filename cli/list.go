package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/methods"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
)

func listNames() []string { return []string{"methods", "tasks", "suites"} }

func (c *console) listCommand() *cli.Command {
	return command(cli.Command{
		Name:        "list",
		Usage:       "list methods, tasks and suites, with settings and their defaults",
		Description: "pacebench list methods",
		ArgsUsage:   "[methods|tasks|suites]",

		BashComplete: completeNames(listNames),
	}, 0, 1, func(cc *cli.Context) error {
		if cc.NArg() > 0 {
			return c.list(cc.Args().First())
		}
		for i, what := range listNames() {
			if i > 0 {
				fmt.Fprintln(c.out)
			}
			fmt.Fprintf(c.out, "%s:\n\n", what)
			if err := c.list(what); err != nil {
				return err
			}
		}
		return nil
	})
}

func (c *console) list(what string) error {
	w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
	switch what {
	case "methods":
		for _, m := range methods.All() {
			settings, err := suite.Settings(m)
			if err != nil {
				return err
			}
			c.listed(settings, m.Name(), bench.LabelOf(m).Title)
		}
		for _, r := range baselines.All("") {
			c.listed(nil, r.Name, r.Title, "baseline of "+r.Task)
		}
	case "tasks":
		paper := len(tasks.Paper())
		for i, t := range tasks.All() {
			group := "the paper's"
			if i >= paper {
				group = "the field's"
			}
			if i == paper {
				fmt.Fprintln(c.out)
			}
			var splits []string
			for _, s := range t.Splits {
				splits = append(splits, fmt.Sprintf("%s (%d)", s.Name, s.Instances))
			}
			c.listed(suite.TaskSettings(t), t.Name, t.Label.Title, group,
				fmt.Sprintf("%s %s", t.Goal, t.Template.Name), strings.Join(splits, ", "))
		}
		fmt.Fprintln(c.out)
		for _, name := range pytask.LLM4AD() {
			c.listed(nil, name)
		}
	case "suites":
		for _, s := range suite.All() {
			fmt.Fprintf(w, "%s\t%s\n", s.Name, s.About)
		}
	default:
		return hint.Add(usagef("list: nothing to list under %q", what),
			oneOf("lists", what, listNames()))
	}
	return w.Flush()
}

// listed prints a line that begins with a name, and below it the settings that --set takes.
func (c *console) listed(settings []string, name string, about ...string) {
	line := fmt.Sprintf("%-19s", name)
	for _, text := range about {
		line += fmt.Sprintf("  %-25s", text)
	}
	fmt.Fprintln(c.out, strings.TrimRight(line, " "))
	if settings != nil {
		fmt.Fprint(c.out,
			render.Wrap("--set "+strings.Join(settings, " "), c.width(planWidth), "    "))
	}
}
