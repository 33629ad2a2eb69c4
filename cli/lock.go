package cli

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/suite"
)

func (c *console) lockCommand() *cli.Command {
	return command(cli.Command{
		Name:        "lock",
		Usage:       "write the lock file of a task in Python: packages, each wheel with its hash",
		Description: "pacebench lock ./my_task.py",
		ArgsUsage:   "FILE.py",
		Flags:       placeFlags(),
	}, 1, 1, func(cc *cli.Context) error {
		path, n, err := suite.LockTask(cc.Context, c.options(cc), cc.Args().First())
		if err == nil {
			fmt.Fprintf(c.out, "%s: %d packages\n", path, n)
		}
		return err
	})
}
