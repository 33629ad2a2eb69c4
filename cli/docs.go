package cli

import (
	"fmt"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/docs"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/suite"
)

func pageNames() []string {
	return suite.Map(docs.Pages(), func(p docs.Page) string { return p.Name })
}

func (c *console) docsCommand() *cli.Command {
	return command(cli.Command{
		Name:        "docs",
		Usage:       "list the pages of the documentation, or show one",
		Description: "pacebench docs start",
		ArgsUsage:   "[PAGE]",

		BashComplete: completeNames(pageNames),
	}, 0, 1, func(cc *cli.Context) error {
		if name := cc.Args().First(); name != "" {
			page, ok := docs.Find(name)
			if !ok {
				return hint.Add(usagef("docs: no page %q", name),
					didYouMean(name, pageNames())+"for the list of pages, run: pacebench docs")
			}
			_, err := fmt.Fprint(c.out, page.Text)
			return err
		}
		w := tabwriter.NewWriter(c.out, 0, 0, 2, ' ', 0)
		for _, p := range docs.Pages() {
			line := p.Title
			if p.About != "" {
				line += ": " + p.About
			}
			fmt.Fprintf(w, "%s\t%s\n", p.Name, line)
		}
		return w.Flush()
	})
}
