package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record/journal"
)

// The files of a tuned program, in its run's directory.
const (
	TunedFile   = "tuned.json"
	TunedSource = "tuned.py"
	TuneTrials  = "tune.jsonl" // a Tuning, then one line for each Trial; may be packed
)

// A Tuning contains the settings with which a program is tuned.
type Tuning struct {
	Journal string `json:"journal"` // SHA-256 of the run's journal
	Seed    uint64 `json:"seed"`
	Evals   int    `json:"evals"` // evaluations of each search; no budget counts them
	At      int    `json:"at"`    // also tune the best program after At evaluations; 0: do not
}

// The searches of a Tuning.
const (
	TuneBest    = "tune"    // CMA-ES on the best program
	TuneControl = "control" // random values for the best program
	TuneEarly   = "early"   // CMA-ES on the best program after At evaluations
)

// A Trial is one vector of values and its result.
type Trial struct {
	Search string    `json:"search"`
	Values []float64 `json:"values"` // of the knobs
	Score  float64   `json:"score"`  // larger is better; 0 with a fault
	Fault  FaultKind `json:"fault,omitempty"`
}

// A Tuned is tuned.json: the results of tuning the constants of a run's best program. Means are in
// the task's unit, on the training split. Tables of methods do not show them.
type Tuned struct {
	Format int `json:"format"`
	Tuning
	Evaluation int     `json:"evaluation"` // number of the original program's evaluation
	Program    string  `json:"program"`    // ID of the tuned program, tuned.py
	Knobs      int     `json:"knobs"`
	Default    float64 `json:"default,omitempty"` // mean of the template's body; 0: no body
	Best       float64 `json:"best"`              // mean of the original program
	Tuned      float64 `json:"tuned"`             // mean of the tuned program
	Control    float64 `json:"control"`           // the best mean of the search TuneControl
	Early      *Early  `json:"early,omitempty"`   // nil: At is 0, or no program had a score by At
	// Tests are the outcomes of the tuned program, by test split.
	Tests map[string]*SplitOutcome `json:"tests,omitempty"`
}

// Early describes the best program after Tuning.At evaluations, and its tuned form.
type Early struct {
	Evaluation int     `json:"evaluation"`
	Best       float64 `json:"best"`
	Tuned      float64 `json:"tuned"`
}

// Headroom returns the gain from tuning as a share of the gain from the search.
func (t *Tuned) Headroom() (share float64, ok bool) {
	return (t.Tuned - t.Best) / (t.Best - t.Default), t.Default != 0 && t.Best != t.Default
}

// Recovered returns the gain from tuning the early program, as a share of the search's later gain.
func (t *Tuned) Recovered() (share float64, ok bool) {
	if e := t.Early; e != nil && e.Best != t.Best {
		return (e.Tuned - e.Best) / (t.Best - e.Best), true
	}
	return 0, false
}

// ReadTuned reads tuned.json of a run's directory; nil, nil if it does not exist.
func ReadTuned(dir string) (*Tuned, error) {
	path := filepath.Join(dir, TunedFile)
	data, err := plain.Read(path, plain.Small)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var t Tuned
	if err = json.Unmarshal(data, &t); err == nil {
		err = exactKeys(data, t)
	}
	if err == nil && t.Format != FormatVersion {
		err = fmt.Errorf("format %d, this pacebench reads format %d", t.Format, FormatVersion)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, hint.JSON(err))
	}
	return &t, nil
}

// Write writes the tuned program and, after it, tuned.json.
func (t *Tuned) Write(dir, source string) error {
	t.Format = FormatVersion
	if err := journal.WriteFile(filepath.Join(dir, TunedSource), []byte(source)); err != nil {
		return err
	}
	return journal.WriteJSON(filepath.Join(dir, TunedFile), t)
}

// ReadTrials reads the trials of a Tuning from the lines of tune.jsonl. If the file belongs to
// another Tuning, it returns no trials.
func ReadTrials(lines [][]byte, of Tuning) (trials []Trial, err error) {
	var was Tuning
	if len(lines) == 0 || json.Unmarshal(lines[0], &was) != nil || was != of {
		return nil, nil
	}
	for i, line := range lines[1:] {
		var t Trial
		if err := json.Unmarshal(line, &t); err != nil {
			return nil, fmt.Errorf("line %d: %w", i+2, hint.JSON(err))
		}
		trials = append(trials, t)
	}
	return trials, nil
}
