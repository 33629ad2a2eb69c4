package cli

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"math"
	"slices"
	"sync"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/film"
	"github.com/pacebench/pacebench/report/view"
	"github.com/pacebench/pacebench/suite"
)

// stripFrames is the number of frames that represent an episode.
const stripFrames = 6

// A stage runs programs of runs again and returns pictures of the programs' behaviour. It sets up
// Python and the sandbox at the first request for a program of a task, with the packages of the
// program's run unless --env or --python names other packages.
type stage struct {
	ctx context.Context
	suite.Options

	mu     sync.Mutex
	ready  map[[2]string]*suite.Backend // by lock and task
	closed bool
}

func newStage(ctx context.Context, o suite.Options) *stage {
	return &stage{ctx: ctx, Options: o, ready: map[[2]string]*suite.Backend{}}
}

func (s *stage) backend(r *results.Run, t *bench.Task) (*suite.Backend, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	o := s.Options
	if o.Lock == "" && o.Python == "" && slices.Contains(pyenv.Locks(), r.Header.Lock) {
		o.Lock = r.Header.Lock
	}
	key := [2]string{o.Lock, t.Name}
	if w := s.ready[key]; w != nil {
		return w, nil
	}
	if s.closed {
		return nil, errors.New("the pages are closed")
	}
	w, err := suite.OpenBackend(s.ctx, o, t)
	if err == nil {
		s.ready[key] = w
	}
	return w, err
}

func (s *stage) Close() error {
	s.mu.Lock() // a handler may still open a backend
	defer s.mu.Unlock()
	s.closed = true
	var errs []error
	for _, w := range s.ready {
		errs = append(errs, w.Close())
	}
	return errors.Join(errs...)
}

// show implements view.Stage.
func (s *stage) show(
	ctx context.Context, r *results.Run, source string, instance int,
) (*view.Behaviour, error) {
	t, err := s.TaskOfRun(r.Header.Task)
	if err != nil {
		return nil, err
	}
	split := t.Splits[0]
	if t.Pictures == "" || instance < 0 || instance >= split.Instances {
		return &view.Behaviour{Problem: "the task has no pictures of this instance"}, nil
	}
	w, err := s.backend(r, t)
	if err != nil {
		return nil, err
	}
	var frames []*image.RGBA
	var titles []string
	keep := func(p bench.Picture) error {
		width := 0
		if split.Seeds != nil || t.Files != nil {
			width = media[".png"].width
		}
		f, err := film.Image(p.Pixels, width)
		frames, titles = append(frames, f), append(titles, p.Title)
		return err
	}
	value, fault, err := w.Evaluator(t, r.Header.Factor(), nil).Film(ctx, split.Name, instance,
		program.Program{Source: source}, bench.Film{Every: media[".png"].every, Show: keep})
	if err != nil {
		return nil, err
	}
	b := &view.Behaviour{Fault: fault}
	if fault == nil && !math.IsNaN(value) && !math.IsInf(value, 0) {
		b.Value = &value
	}
	if split.Seeds != nil || t.Files != nil { // a film, which may be long
		frames, titles = film.Spread(frames, stripFrames), film.Spread(titles, stripFrames)
	}
	for i, f := range frames {
		var data bytes.Buffer
		if err := png.Encode(&data, f); err != nil {
			return nil, err
		}
		b.Pictures = append(b.Pictures, view.Picture{Title: titles[i], PNG: data.Bytes()})
	}
	return b, nil
}
