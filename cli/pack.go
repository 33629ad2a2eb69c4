package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/suite"
)

func (c *console) packCommand() *cli.Command {
	return command(cli.Command{
		Name:        "pack",
		Usage:       "compress finished runs, or put them into one file to share",
		Description: "pacebench pack --out runs.tar.zst",
		ArgsUsage:   "[DIR ...]",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Aliases: []string{"o"},
				Usage: "file to write, such as runs.tar.zst; the runs do not change"},
			&cli.BoolFlag{Name: "without-pictures",
				Usage: "remove MLES's pictures; verify does not need them, " +
					"but a later run with a larger budget does"},
		},
	}, 0, -1, func(cc *cli.Context) error {
		dirs, err := runsBelow(dirsOf(cc.Args()))
		if err != nil {
			return err
		}
		pictures := !cc.Bool("without-pictures")
		if cc.IsSet("out") {
			return c.bundle(cc.Context, cc.String("out"), dirs)
		}
		packed, left := 0, 0
		var before, after int64
		for _, dir := range dirs {
			if err := cc.Context.Err(); err != nil {
				return err
			}
			was := bytesBelow(dir)
			if err := record.Pack(dir, pictures); err != nil {
				fmt.Fprintln(c.err, "pacebench: warning:", err)
				if hint := hint.Of(err); hint != "" {
					fmt.Fprintln(c.err, "pacebench: hint:", hint)
				}
				left++
				continue
			}
			packed, before, after = packed+1, before+was, after+bytesBelow(dir)
		}
		fmt.Fprintf(c.out, "%s packed: %s before, %s now\n",
			counted(packed, "run"), inBytes(before), inBytes(after))
		if left > 0 {
			return fmt.Errorf("%s not packed", counted(left, "run"))
		}
		return nil
	})
}

// runsBelow lists the run directories in the roots, each once. A root may be a run directory.
func runsBelow(roots []string) ([]string, error) {
	var all []string
	for _, root := range roots {
		dirs, warnings, err := results.RunDirs(root)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, hint.Add(usage(err), suite.HintResults)
		case err != nil:
			return nil, usage(err)
		case len(warnings) > 0:
			reason, _, _ := strings.Cut(strings.TrimPrefix(warnings[0].Reason, "left out: "), ";")
			return nil, hint.Add(fmt.Errorf("%s: %s", warnings[0].Path, reason),
				"instead of "+root+", name its directories of runs, and for a link the directory "+
					"that it leads to")
		case len(dirs) == 0:
			return nil, hint.Add(usagef("%s: no run found here", root), suite.HintResults)
		}
		all = append(all, dirs...)
	}
	return results.Distinct(all), nil
}

// bytesBelow returns the size of all files in dir and its subdirectories.
func bytesBelow(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() {
			n += info.Size()
		}
		return nil
	})
	return n
}

func inBytes(n int64) string {
	if n < 1e6 {
		return fmt.Sprintf("%.0f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%.1f MB", float64(n)/1e6)
}
