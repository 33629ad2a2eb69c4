package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/internal/plain"
)

// A run grows when its directory holds the same run with a smaller budget. What the larger budget
// would have done until the smaller one first mattered is the same to the byte, and stays. A search
// keeps several proposals in flight, so the smaller run may have ended with a few steps that the
// larger one makes otherwise: they are taken out, and nothing else is asked or evaluated again. The
// smaller run stays as it is until the first new step is there to be written.

// grown returns the journal of this run as far as the run in dir, with a smaller budget, is its
// beginning; nil where dir holds no run, this one, or one that differs in more than its budget.
func (r *Run) grown(ctx context.Context, dir string) ([][]byte, error) {
	path := filepath.Join(dir, record.JournalFile)
	lines, _, err := journal.Read(path)
	if err != nil || len(lines) == 0 {
		return nil, nil // open says what is wrong
	}
	was := r.smaller(lines[0])
	if was == nil {
		return nil, nil
	}
	kept, err := r.common(ctx, dir, *was, lines[1:])
	if err != nil {
		return nil, err
	}
	first, err := json.Marshal(record.HeaderLine{Header: &r.Header})
	return append([][]byte{first}, lines[1:1+kept]...), err
}

// smaller returns the header of a run that differs from this one in a smaller budget only, or nil.
func (r *Run) smaller(line []byte) *Header {
	was, err := record.ParseHeader(line)
	if err != nil || was.Budget >= r.Header.Budget {
		return nil
	}
	h := *was
	h.Budget, h.Requests = r.Header.Budget, r.Header.Requests
	same, err := json.Marshal(record.HeaderLine{Header: was})
	if err != nil || !bytes.Equal(same, line) {
		return nil // another version wrote it
	}
	if record.HeaderDifference(h, r.Header) != "" {
		return nil
	}
	return was
}

// common is how many lines a run with the header was has in common with this run.
func (r *Run) common(ctx context.Context, dir string, was Header, lines [][]byte) (int, error) {
	again := *r
	again.Progress = nil
	e, err := again.replay(ctx, dir, lines)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil && !errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrDiverged):
		return 0, err
	case e == nil: // its beginning is not its base's
		return 0, err
	case e.planned:
		return 0, hint.Add(fmt.Errorf("%s: %w: its budget is %d, this command says %d, "+
			"and %s cannot go on with more: its search follows its budget from the beginning",
			dir, record.ErrForeign, was.Budget, r.Header.Budget, was.Method),
			"use another --out: a run with another budget is another search")
	}
	if len(e.lines) == 0 {
		return len(lines), nil
	}
	// Where they part, the budget must be the reason, and not a program that has changed.
	again.Header = was
	if old, err := again.replay(ctx, dir, lines); err != nil &&
		(!errors.Is(err, ErrIncomplete) || len(old.lines) > 0) {
		return 0, err
	}
	return len(lines) - len(e.lines), nil
}

// replace puts another journal into dir, as a whole. Killed at any moment, the same command goes
// on: a result without its journal is not left behind, and run.json, which says the header too,
// comes before the journal.
func (r *Run) replace(dir string, lines [][]byte) error {
	if err := os.Remove(filepath.Join(dir, "result.json")); err != nil &&
		!errors.Is(err, os.ErrNotExist) {
		return err
	}
	if err := trimTiming(dir, lines[1:]); err != nil {
		return err
	}
	f, err := record.ReadRunFile(dir)
	if err != nil {
		return err
	}
	if f == nil {
		f = &record.RunFile{Prices: r.Prices, Environment: lostEnvironment}
	}
	if err := r.writeRunFile(dir, f.Prices, f.Environment); err != nil {
		return err
	}
	return journal.Replace(filepath.Join(dir, record.JournalFile), lines)
}

// trimTiming leaves the times of the journal's steps.
func trimTiming(dir string, lines [][]byte) error {
	path := filepath.Join(dir, record.TimingFile)
	if err := journal.Unpack(path); err != nil {
		return err
	}
	data, err := plain.Read(path, plain.Large)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	steps := map[int]bool{}
	for _, line := range lines {
		if rec, err := record.ParseLine(line); err == nil && rec.Step != nil {
			steps[rec.Step.Number] = true
		}
	}
	times := slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(line []byte) bool {
		var t record.Timing
		return json.Unmarshal(line, &t) != nil || !steps[t.Step]
	})
	return journal.WriteFile(path, bytes.Join(times, nil))
}
