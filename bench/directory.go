package bench

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// A Directory is a run's directory under its lock, with its files open for appending.
type Directory struct {
	Lines   [][]byte // lines of the journal, after its header
	Journal *journal.File
	Timing  *os.File      // timing.jsonl
	prices  llm.PriceList // the prices of all steps, including future steps
	lock    *journal.Lock
	lent    bool // the caller owns the lock
}

// Open creates the run in dir, or opens the journal that dir contains. It refuses a directory that
// contains a run with another header.
func Open(dir string, run record.RunFile) (*Directory, error) {
	d, err := hold(dir, nil)
	if err != nil {
		return nil, err
	}
	if err := d.open(dir, run); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// hold takes the lock of dir, or uses the caller's lock. It creates dir if necessary.
func hold(dir string, lock *journal.Lock) (*Directory, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	d := &Directory{lock: lock, lent: lock != nil}
	if !d.lent {
		var err error
		if d.lock, err = Lock(dir); err != nil {
			return nil, err
		}
	}
	if !d.lock.TookOver {
		return d, nil
	}
	for _, name := range []string{record.JournalFile, record.TimingFile} {
		// The previous holder may only be suspended. If it wakes up, it writes to the old file.
		if err := journal.Renew(filepath.Join(dir, name)); err != nil {
			d.Close()
			return nil, err
		}
	}
	return d, nil
}

// Lock locks the directory of a run, which must exist; see journal.TryLock.
func Lock(dir string) (*journal.Lock, error) {
	lock, err := journal.TryLock(dir)
	if errors.Is(err, journal.ErrLocked) {
		err = hint.Add(err, "wait for the other process, or use another --out")
	}
	return lock, err
}

func (d *Directory) open(dir string, run record.RunFile) error {
	path := filepath.Join(dir, record.JournalFile)
	// Read before Open, so that a refused journal stays untouched, including its torn tail.
	lines, _, err := journal.Read(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return record.Damaged(err)
	}
	if len(lines) > 0 {
		if err := sameHeader(lines[0], run.Header, dir); err != nil {
			return err
		}
	}
	if d.Journal, lines, err = journal.Open(path); err != nil {
		return err
	}
	d.Journal.Guard(d.lock)
	if len(lines) == 0 {
		line, err := json.Marshal(record.HeaderLine{Header: run.Header})
		if err != nil {
			return err
		}
		run.Began = today()
		if err := journal.WriteJSON(filepath.Join(dir, "run.json"), run); err != nil {
			return err
		}
		if err := d.Journal.Append(line); err != nil {
			return err
		}
		lines = [][]byte{line}
		d.prices = run.Prices
	} else if d.prices, err = restoreRunFile(dir, run, lines[1:]); err != nil {
		return err
	}
	d.Lines = lines[1:]
	timing := filepath.Join(dir, record.TimingFile)
	if err := journal.Unpack(timing); err != nil {
		return err
	}
	d.Timing, err = plain.Open(timing, os.O_CREATE|os.O_APPEND|os.O_WRONLY)
	return err
}

// Close closes the files and releases the lock.
func (d *Directory) Close() {
	if d.Journal != nil {
		d.Journal.Close()
	}
	if d.Timing != nil {
		d.Timing.Close()
	}
	if !d.lent {
		d.lock.Unlock()
	}
}

// sameHeader compares a journal's first line with a run's header.
func sameHeader(line []byte, h *Header, dir string) error {
	if _, err := record.ParseHeader(line); err != nil {
		return hint.Add(fmt.Errorf("%s: %w", dir, err), "use another --out")
	}
	want, err := json.Marshal(record.HeaderLine{Header: h})
	if err != nil {
		return err
	}
	if bytes.Equal(line, want) {
		return nil
	}
	what, advice := "its header is written differently",
		"use another --out, or repeat the command that began the run"
	var was record.HeaderLine
	if json.Unmarshal(line, &was) == nil {
		d := record.HeaderDifference(*was.Header, *h)
		again, err := json.Marshal(was)
		if d == "" && err == nil && bytes.Equal(again, line) {
			return nil // another version listed the settings in another order
		}
		if grown := *was.Header; grown.Budget < h.Budget { // a larger budget is no obstacle
			grown.Budget, grown.Requests = h.Budget, h.Requests
			d = cmp.Or(record.HeaderDifference(grown, *h), d)
		}
		what = cmp.Or(d, what)
		switch {
		case d != "" && d == record.ArithmeticDifference(*was.Header, *h):
			advice = record.HintArithmetic
		case record.FilesDiffer(*was.Header, *h):
			advice = "use another --out, restore the file, or remove " + dir +
				" and lose its evaluations"
		}
	}
	return hint.Add(fmt.Errorf("%s: %w: %s", dir, record.ErrForeign, what), advice)
}

// lostEnvironment is the environment in a run.json that was lost and written again.
var lostEnvironment = map[string]string{
	"unknown": "run.json was lost and written again: only the header describes the machine on " +
		"which the run began",
}

// today returns the day in UTC.
func today() string { return time.Now().UTC().Format(time.DateOnly) }

// restoreRunFile writes run.json again if the file of a run that has begun is missing or torn. An
// existing run.json must belong to this run. restoreRunFile adds changed prices and returns all
// prices. A finished run keeps its prices, because its result was made from them.
func restoreRunFile(dir string, run record.RunFile, lines [][]byte) (llm.PriceList, error) {
	f, err := record.ReadRunFile(dir)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		run.Environment = lostEnvironment
		return run.Prices, journal.WriteJSON(filepath.Join(dir, "run.json"), run)
	}
	if err := record.CheckRunFile(dir, f, *run.Header); err != nil {
		return nil, err
	}
	if _, err := os.Lstat(filepath.Join(dir, "result.json")); err == nil {
		return f.Prices, nil
	}
	all, err := pricesOf(dir, run, lines)
	if err != nil || reflect.DeepEqual(all, f.Prices) {
		return all, err
	}
	f.Prices = all
	return all, journal.WriteJSON(filepath.Join(dir, "run.json"), *f)
}

// pricesOf returns the prices in run.json, and the current prices for the steps after these lines.
func pricesOf(dir string, run record.RunFile, lines [][]byte) (llm.PriceList, error) {
	f, err := record.ReadRunFile(dir)
	switch {
	case err != nil || f == nil || f.Prices.Check() != nil:
		return run.Prices, err
	case len(run.Prices) == 0:
		return f.Prices, nil
	}
	done := 0
	for _, line := range lines {
		if rec, err := record.ParseLine(line); err == nil && rec.Step != nil {
			done = max(done, rec.Step.Number+1)
		}
	}
	now := run.Prices[len(run.Prices)-1]
	return f.Prices.With(now.Prices, done, now.Date), nil
}
