package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
)

// bundle writes finished runs into one file.
func (c *console) bundle(ctx context.Context, out string, dirs []string) error {
	if info, err := os.Stat(out); out == "" || err == nil && !info.Mode().IsRegular() {
		return hint.Add(usagef("--out %s: not a file that can be written", out),
			"--out is the file to write")
	}
	runs := map[string]string{} // directory by path in the bundle
	all, declarations := suite.Declarations{}, map[string]string{}
	for _, dir := range dirs {
		l, err := record.LoadFinished(dir)
		if err == nil && !l.Journal && !suite.IsRow(l.Header) {
			err = l.CheckResult() // a search whose journal is missing
		}
		if err != nil {
			return err
		}
		declared, _, err := all.Of(dir, l.Header)
		if err != nil {
			return hint.Add(fmt.Errorf("%s: %w", dir, err), hint.Of(err))
		}
		if declared != "" {
			declarations[l.Header.Plan] = declared
		}
		name := filepath.ToSlash(suite.RunDir("", l.Header))
		if old := runs[name]; old != "" {
			return fmt.Errorf("%s and %s are both the run %s", old, dir, name)
		}
		runs[name] = dir
	}
	journal.Sweep(filepath.Dir(out))
	f, err := journal.NewDraft(out)
	if err != nil {
		return hint.Add(usagef("--out %s: %w", out, errors.Unwrap(err)),
			"--out is the file to write")
	}
	defer f.Drop()
	if err := record.WriteBundle(ctx, f, Version, runs, declarations); err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if err := f.Keep(); err != nil {
		return err
	}
	fmt.Fprintf(c.out, "%s: %s in %s\n", out, counted(len(runs), "run"), inBytes(info.Size()))
	return nil
}
