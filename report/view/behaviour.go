package view

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
)

// A Behaviour is the outcome of running a program again on an instance of the training split.
type Behaviour struct {
	Value    *float64      `json:"value,omitempty"` // value on the instance, if it is a number
	Fault    *record.Fault `json:"fault,omitempty"` // the pictures end at the fault
	Pictures []Picture     `json:"pictures"`
	Problem  string        `json:"problem,omitempty"` // why there are no pictures
}

type Picture struct {
	Title string `json:"title,omitempty"`
	PNG   []byte `json:"png"`
}

// A Stage runs a program of a run on an instance of the training split, in the sandbox. A Fault
// of the program is part of the Behaviour; an error means that the machine cannot run programs. A
// Stage must be safe for concurrent use.
type Stage func(
	ctx context.Context, r *results.Run, source string, instance int,
) (*Behaviour, error)

// behaviourName names the data of a behaviour. The ID of a run never has a tilde.
func behaviourName(run string, evaluation, instance int) string {
	return fmt.Sprintf("%s~%d~%d", run, evaluation, instance)
}

// waiting bounds the number of requests for behaviour, including the request whose program runs.
const waiting = 8

var errBusy = errors.New("too many programs are waiting to be run; try again")

// behaviour returns the behaviour with this name; nil if there is no such program. Only one program
// runs at a time, and it stops when its request ends.
func (v *server) behaviour(ctx context.Context, name string) (*Behaviour, error) {
	part := strings.Split(name, "~")
	if len(part) != 3 || v.Stage == nil {
		return nil, nil
	}
	r := v.run(part[0])
	evaluation, err1 := strconv.Atoi(part[1])
	instance, err2 := strconv.Atoi(part[2])
	if r == nil || err1 != nil || err2 != nil {
		return nil, nil
	}
	select {
	case v.queue <- struct{}{}:
		defer func() { <-v.queue }()
	default:
		return nil, errBusy
	}
	select {
	case v.stage <- struct{}{}:
		defer func() { <-v.stage }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	d, err := results.Open(v.Decoders, r.Dir)
	if err != nil {
		return nil, err
	}
	p := d.Program(evaluation)
	if p == nil || p.Source == "" {
		return nil, nil
	}
	b, err := v.Stage(ctx, d.Run, p.Source, instance)
	if err != nil && ctx.Err() == nil { // the page is complete without pictures
		b, err = &Behaviour{Problem: problem(err)}, nil
	}
	return b, err
}

// problem returns the text of an error with its hint, on one line.
func problem(err error) string {
	text := err.Error()
	if hint := hint.Of(err); hint != "" {
		text += " (" + hint + ")"
	}
	return strings.ReplaceAll(text, "\n", " ")
}

// winner stores the behaviour of a run's best program on the first instance.
func (s *Site) winner(
	ctx context.Context, id string, d *detail, put func(string, []byte) error,
) error {
	if s.Stage == nil || d.Run.Best == nil {
		return nil
	}
	p := d.Program(d.Run.Best.Evaluation)
	if p == nil || p.Source == "" {
		return nil
	}
	b, err := s.Stage(ctx, d.Run, p.Source, 0)
	if err != nil {
		return fmt.Errorf("running the best program: %w", err)
	}
	d.Shown = map[int][]int{p.Evaluation: {0}}
	return putData(put, behaviourName(id, p.Evaluation, 0), b)
}
