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
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

var (
	// ErrDiverged means that another method, prompt or stream of random numbers wrote the journal
	// that is being replayed. The journal stays unchanged.
	ErrDiverged = errors.New("the journal does not match this method")
	// ErrIncomplete means that a replay reached the end of its journal before the end of the
	// method.
	ErrIncomplete = errors.New("the journal ends before the run is complete")
)

// sameRequest compares a request of the journal with the method's request. Both are compared as the
// journal writes them, with digests for images.
func sameRequest(old, now llm.Request) error {
	was, err := json.Marshal(old)
	if err != nil {
		return err
	}
	is, err := json.Marshal(now)
	if err != nil {
		return err
	}
	if bytes.Equal(was, is) {
		return nil
	}
	if old.Purpose != now.Purpose {
		return fmt.Errorf("the journal has a request for %s here: %w", old.Purpose, ErrDiverged)
	}
	if was, is := requestText(old), requestText(now); was != is {
		return fmt.Errorf("the prompt differs: %w\n%s", ErrDiverged, diff(was, is))
	}
	return fmt.Errorf("%w\n%s", ErrDiverged, diff(string(was), string(is)))
}

func requestText(r llm.Request) string {
	var b strings.Builder
	b.WriteString(r.System)
	for _, p := range r.User {
		b.WriteString(p.Text)
		if p.Image != nil {
			b.WriteString("[image " + p.Image.Digest + "]")
		}
	}
	return b.String()
}

// diff returns the first line at which two texts differ.
func diff(old, now string) string {
	a, b := strings.Split(old, "\n"), strings.Split(now, "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(a) && i >= len(b):
			return ""
		case i >= len(a):
			return fmt.Sprintf("line %d\n  journal: (ends)\n  now:     %s", i+1, b[i])
		case i >= len(b):
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     (ends)", i+1, a[i])
		case a[i] != b[i]:
			return fmt.Sprintf("line %d\n  journal: %s\n  now:     %s", i+1, a[i], b[i])
		}
	}
}

// divergence describes how an old line differs from the line that the run produces now.
func divergence(old, now []byte) error {
	name := func(line []byte) string {
		var r record.Line
		switch err := json.Unmarshal(line, &r); {
		case err == nil && r.Step != nil:
			return fmt.Sprintf("step %d with %d requests, %d evaluations and %d notes",
				r.Step.Number, len(r.Step.Requests), len(r.Step.Evaluations), len(r.Step.Notes))
		case err == nil && r.Note != nil:
			return fmt.Sprintf("note %s %.200s", r.Note.Kind, r.Note.Value)
		}
		return fmt.Sprintf("%.200s", line)
	}
	a, b := name(old), name(now)
	if a == b { // the difference comes later: show its place
		i := 0
		for i < min(len(old), len(now)) && old[i] == now[i] {
			i++
		}
		from := max(0, i-60)
		a, b = fmt.Sprintf("%s: …%.120s", a, old[from:]), fmt.Sprintf("%s: …%.120s", b, now[from:])
	}
	return fmt.Errorf("%w\n  journal: %s\n  now:     %s", ErrDiverged, a, b)
}

// grown returns the part of the journal in dir that is the beginning of this run, if the run in dir
// differs from this run only in a smaller budget. Otherwise, it returns nil.
func (r *Run) grown(ctx context.Context, dir string) ([][]byte, error) {
	path := filepath.Join(dir, record.JournalFile)
	lines, _, err := journal.Read(path)
	if err != nil || len(lines) == 0 {
		return nil, nil // open reports the error
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

// smaller returns the header of a run that differs from this one only in a smaller budget, or nil.
func (r *Run) smaller(line []byte) *Header {
	was, err := record.ParseHeader(line)
	if err != nil || was.Budget >= r.Header.Budget {
		return nil
	}
	h := *was
	h.Budget, h.Requests = r.Header.Budget, r.Header.Requests
	same, err := json.Marshal(record.HeaderLine{Header: was})
	if err != nil || !bytes.Equal(same, line) {
		return nil // another version wrote the line
	}
	if record.HeaderDifference(h, r.Header) != "" {
		return nil
	}
	return was
}

// common returns the number of journal lines that this run shares with the run in dir. was is that
// run's header.
func (r *Run) common(ctx context.Context, dir string, was Header, lines [][]byte) (int, error) {
	again := *r
	again.Progress = nil
	e, err := again.replay(ctx, dir, lines)
	switch {
	case ctx.Err() != nil:
		return 0, ctx.Err()
	case err != nil && !errors.Is(err, ErrIncomplete) && !errors.Is(err, ErrDiverged):
		return 0, err
	case e == nil: // the journal does not start as the base requires
		return 0, err
	case e.planned:
		return 0, hint.Add(fmt.Errorf("%s: %w: the run's budget is %d, this command says %d, and "+
			"%s cannot extend a run, because its search depends on the budget from the beginning",
			dir, record.ErrForeign, was.Budget, r.Header.Budget, was.Method),
			"use another --out: with a different budget, this method makes a different search")
	}
	if len(e.lines) == 0 {
		return len(lines), nil
	}
	// The budget must be the reason for the difference, not a change of the method.
	again.Header = was
	if old, err := again.replay(ctx, dir, lines); err != nil &&
		(!errors.Is(err, ErrIncomplete) || len(old.lines) > 0) {
		return 0, err
	}
	return len(lines) - len(e.lines), nil
}

// replace replaces the journal in dir as a whole. If the process is killed at any moment, the same
// command can continue: a result is removed before its journal is replaced, and run.json, which
// also contains the header, is written before the journal.
func replace(dir string, run record.RunFile, lines [][]byte) error {
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
		run.Environment = lostEnvironment
	} else {
		run.Environment, run.Began = f.Environment, f.Began
	}
	if err := journal.WriteJSON(filepath.Join(dir, "run.json"), run); err != nil {
		return err
	}
	return journal.Replace(filepath.Join(dir, record.JournalFile), lines)
}

// trimTiming keeps only the times of the journal's steps.
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
	kept := slices.DeleteFunc(bytes.SplitAfter(data, []byte("\n")), func(line []byte) bool {
		var t record.Timing
		return json.Unmarshal(line, &t) != nil || !steps[t.Step]
	})
	return journal.WriteFile(path, bytes.Join(kept, nil))
}
