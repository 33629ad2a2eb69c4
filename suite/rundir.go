package suite

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// A runDir is a run's directory. Its methods do not lock the directory.
type runDir struct{ dir string }

func (p *Planned) runDir(out string) runDir { return runDir{RunDir(out, p.Header)} }

// result returns the result of an earlier command, or nil if no result is readable.
func (d runDir) result() *record.Result {
	r, err := record.ReadResult(d.dir)
	if err != nil {
		return nil
	}
	return r
}

// finished reports whether the run is complete according to its result.
func (d runDir) finished(h record.Header, splits []string) bool {
	r := d.result()
	return r != nil && r.Header.Budget >= h.Budget && r.Header.Version == h.Version &&
		r.Header.MethodVersion == h.MethodVersion && r.Lacks(splits) == nil
}

// untested returns the splits that no earlier command scored.
func (d runDir) untested(splits []string) []string {
	if r := d.result(); r != nil {
		return r.Lacks(splits)
	}
	return splits
}

func (d runDir) counted() (budget, evaluations int, err error) {
	l, err := record.LoadWithoutTexts(d.dir)
	if err != nil {
		return 0, 0, err
	}
	return l.Header.Budget, l.Summarize().Evaluations, nil
}

// kept returns the result of a run that an earlier command finished, including its tests, or nil if
// there is more to do. It refuses a result that disagrees with the journal, and a paired run that
// does not share the beginning of its base.
func (d runDir) kept(h record.Header, base *record.Loaded, splits []string) (
	*record.Result, error) {
	if _, err := os.Stat(filepath.Join(d.dir, "result.json")); err != nil {
		return nil, nil // avoids reading a long journal
	}
	l, err := record.Load(d.dir)
	if err != nil || l.Result == nil {
		// The result is damaged or missing. Execute writes it again, or reports what is wrong with
		// the journal.
		return nil, nil
	}
	if err := l.CheckResult(); err != nil {
		return nil, err
	}
	old, err1 := json.Marshal(l.Header)
	now, err2 := json.Marshal(h)
	if err1 != nil || err2 != nil || !bytes.Equal(old, now) {
		return nil, nil // Execute reports the difference
	}
	if base != nil {
		if err := bench.CheckShared(l, base); err != nil {
			return nil, fmt.Errorf("%s: %w", d.dir, err)
		}
	}
	if l.CheckFiles() != nil {
		return nil, nil // Execute writes the file again, or refuses
	}
	if l.Result.Lacks(splits) != nil {
		return nil, nil
	}
	return l.Result, nil
}

// Inside refuses a run's directory that is a link to a directory with other files but no run,
// because the new run could replace these files. A link to an empty directory or to a run is
// allowed, for instance to use a larger disk.
func Inside(out, dir string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil // dir is missing, or Lock reports the error
	}
	root, err := filepath.EvalSymlinks(filepath.Clean(out))
	if err != nil {
		return err
	}
	rel, err := filepath.Rel(filepath.Clean(out), dir)
	if err != nil || filepath.Join(root, rel) == real {
		return err
	}
	entries, err := os.ReadDir(dir)
	foreign := slices.DeleteFunc(entries, func(e os.DirEntry) bool {
		return e.Name() == "lock" || strings.HasPrefix(e.Name(), "lease.")
	})
	run := func(e os.DirEntry) bool {
		return strings.HasPrefix(e.Name(), "journal.jsonl") || e.Name() == "result.json"
	}
	if err != nil || len(foreign) == 0 || slices.ContainsFunc(foreign, run) {
		return err
	}
	return hint.Add(
		fmt.Errorf("%s: a link to %s, which has %s but no run", dir, real, foreign[0].Name()),
		"use another --out, or link to an empty directory")
}

// AnswersDir keeps the answers of a model with a server until the search is over: answers of steps
// that wait for an earlier step are not in the journal yet, and must not be paid twice.
const AnswersDir = "answers"

// FailedFile records why a search failed, until the search is tried again.
const FailedFile = "failed.json"

// A failure is the content of FailedFile.
type failure struct {
	Reason string `json:"error"`
	Advice string `json:"hint,omitempty"`
}

func (f *failure) Error() string { return "failed before: " + f.Reason }
func (f *failure) Hint() string  { return f.Advice }

// failed returns why the search failed, or nil if it did not fail.
func (d runDir) failed() *failure {
	var f failure
	data, err := plain.Read(filepath.Join(d.dir, FailedFile), MaxFile)
	if err != nil || json.Unmarshal(data, &f) != nil || f.Reason == "" {
		return nil
	}
	return &f
}

func (d runDir) forget() error {
	err := os.Remove(filepath.Join(d.dir, FailedFile))
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return err
}

// remember records why a search failed, if the failure is specific to the search. Failures that
// affect all runs, or all runs of a model, appear again when the command is repeated. remember
// leaves the directory of another run or another process unchanged.
func (d runDir) remember(err error) {
	if !remembered(err) {
		return
	}
	// Without the file the next command tries the run again, which does no harm.
	_ = journal.WriteJSON(filepath.Join(d.dir, FailedFile), failure{err.Error(), hint.Of(err)})
}
