package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/suite"
)

// An input is the results that a command reads. Bundles are unpacked into a temporary directory.
type input struct {
	dirs   []string // each contains runs, or is the directory of one run
	tmp    string
	places map[string]string // the argument, by the directory into which its bundle is unpacked
	names  *strings.Replacer // replaces these directories by the names of the bundles
}

// opened opens the arguments and calls use. An argument is a directory (DIR or RUN), the file of a
// bundle (BUNDLE), or a run in a bundle (BUNDLE:RUN). Messages name bundles instead of temporary
// directories.
func opened(ctx context.Context, args []string, use func(*input) error) error {
	tmp, err := os.MkdirTemp("", "pacebench-bundle-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	in, names := &input{tmp: tmp, places: map[string]string{}}, []string(nil)
	for i, arg := range args {
		file, run := record.BundleOf(arg)
		if file == "" {
			in.dirs = append(in.dirs, arg)
			continue
		}
		place := filepath.Join(tmp, strconv.Itoa(i), "runs") // no place is a prefix of another
		if err := os.MkdirAll(place, 0o700); err != nil {
			return err
		}
		found, err := record.OpenBundle(ctx, file, place)
		if err != nil {
			return err
		}
		if run != "" && !slices.Contains(found, filepath.FromSlash(run)) {
			return hint.Add(usagef("%s: this bundle has no run %s", file, run),
				oneOf("runs", run, suite.Map(found, filepath.ToSlash)))
		}
		in.dirs = append(in.dirs, filepath.Join(place, filepath.FromSlash(run)))
		in.places[place] = arg
		names = append(names, place+string(filepath.Separator), file+":", place, file)
	}
	in.names = strings.NewReplacer(names...)
	return in.named(use(in))
}

// rename replaces temporary directories in a text by the names of their bundles.
func (in *input) rename(text string) string {
	if in.names == nil {
		return text
	}
	return in.names.Replace(text)
}

func (in *input) argument(dir string) string {
	for place, arg := range in.places {
		if strings.HasPrefix(dir, place) {
			return arg
		}
	}
	return dir
}

// named applies rename to the text and the hint of an error.
func (in *input) named(err error) error {
	if err == nil || len(in.places) == 0 {
		return err
	}
	return hint.Add(&renamedError{err, in}, in.rename(hint.Of(err)))
}

type renamedError struct {
	error
	in *input
}

func (e *renamedError) Error() string { return e.in.rename(e.error.Error()) }
func (e *renamedError) Unwrap() error { return e.error }

func (c *console) bundle(ctx context.Context, out string, dirs []string) error {
	if info, err := os.Stat(out); out == "" || err == nil && !info.Mode().IsRegular() {
		return hint.Add(usagef("--out %s: not a file that can be written", out),
			"--out is the file to write")
	}
	runs := map[string]string{} // directory by path in the bundle
	all, declarations := suite.Declarations{}, map[string]string{}
	for _, dir := range dirs {
		l, err := record.LoadFinished(dir)
		if err == nil && !l.Journal && !suite.IsBaseline(l.Header) {
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
			return fmt.Errorf("%s and %s both contain the run %s", old, dir, name)
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
