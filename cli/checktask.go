package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/report/render"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) checkTaskCommand() *cli.Command {
	return command(cli.Command{
		Name:        "check-task",
		Usage:       "check a task in Python: scores are reproducible, wrong answers get no score",
		Description: "pacebench check-task ./my_task.py",
		ArgsUsage:   "FILE.py",
		Flags:       placeFlags(),
	}, 1, 1, func(cc *cli.Context) error {
		path, o := cc.Args().First(), c.options(cc)
		found, err := suite.CheckTask(cc.Context, o, path, func(doing string) {
			fmt.Fprintln(o.Notes, doing)
		})
		if err != nil {
			return err
		}
		failed := 0
		for _, f := range found {
			verdict := "ok"
			if len(f.Wrong) > 0 {
				verdict = "FAILED"
				failed++
			}
			head := fmt.Sprintf("%-13s  %-6s  ", f.Check, verdict)
			c.hanging(head, f.Did)
			for _, text := range f.Wrong {
				c.hanging("    - ", text)
			}
			for _, text := range f.Notes {
				c.hanging("    note: ", text)
			}
		}
		if failed > 0 {
			return fmt.Errorf("%s: %d of %s failed", filepath.Base(path), failed,
				suite.Counted(len(found), "check"))
		}
		return nil
	})
}

// hanging prints a text after a head, wrapped to the width of the terminal. Further lines are
// indented.
func (c *console) hanging(head, text string) {
	indent := strings.Repeat(" ", len(head))
	lines := render.Wrap(text, c.width(render.TextWidth), indent)
	fmt.Fprint(c.out, head+strings.TrimPrefix(lines, indent))
}
