// Package kit contains the checks that every method must pass (Kit), for tests and for
// check-method. Run executes a method against a model and an Evaluator that scores programs without
// running them. Start at Kit and Run. Tests use the package through internal/testkit/benchtest.
package kit

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"image"
	"image/png"
	"path/filepath"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// Problem returns a small problem for tests, with the shape of TSP-Construct.
func Problem() bench.Problem {
	return bench.Problem{
		Name: "toy",
		Description: "Given the current node and the nodes not yet visited, " +
			"choose the node to visit next so that the tour is short. NumPy is available as np.",
		Template: program.Function{
			Name: "select_next_node",
			Params: []program.Param{
				{Name: "current_node", Annotation: "int"},
				{Name: "destination_node", Annotation: "int"},
				{Name: "unvisited_nodes", Annotation: "np.ndarray"},
				{Name: "distance_matrix", Annotation: "np.ndarray"},
			},
			Returns: "int",
			Doc:     "Choose the next node of the tour.",
			Body:    "return unvisited_nodes[0]",
		},
		Imports: []string{"import numpy as np"},
		Modules: []string{"numpy", "math"},
		Runtime: "Python 3.11 with NumPy 1.26",
		Goal:    bench.Minimize,
	}
}

// An Evaluator scores programs without running them. The zero value gives every program a score
// between -10 and -5 that depends only on its source.
type Evaluator struct {
	// Score replaces the default score when not nil.
	Score func(source string) record.Outcome
	// FailShare is the share of programs that raise an error. The source of a program decides
	// whether it does.
	FailShare float64
	// Evidence, when not nil, returns the evidence of a program with a score. For a method that
	// observes evidence, Prepare sets a nil Evidence to Picture.
	Evidence func(source string) []record.Blob
	// Jobs bounds the concurrent evaluations, as --jobs does. Nil means no bound.
	Jobs chan struct{}
	// Delay, when not nil, returns the delay of an evaluation. It varies the order in which
	// evaluations finish, which must not matter.
	Delay func() time.Duration

	count atomic.Int64
}

var _ bench.Evaluator = (*Evaluator)(nil)

// Count returns the number of calls of Evaluate.
func (e *Evaluator) Count() int { return int(e.count.Load()) }

// Evaluate scores p as configured.
func (e *Evaluator) Evaluate(
	ctx context.Context, p program.Program) (out bench.Evaluated, err error) {
	e.count.Add(1)
	if e.Jobs != nil {
		select {
		case e.Jobs <- struct{}{}:
			defer func() { <-e.Jobs }()
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
	if e.Delay != nil {
		timer := time.NewTimer(e.Delay())
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return out, ctx.Err()
		}
	}
	sum := sha256.Sum256([]byte(p.Source))
	if unit(sum[8:]) < e.FailShare {
		out.Fault = record.Faultf(record.Raised, "ValueError: chosen to fail")
		return out, nil
	}
	v := 5 + 5*unit(sum[:])
	out.Outcome = record.Outcome{Score: -v, Values: []float64{v}}
	if e.Score != nil {
		out.Outcome = e.Score(p.Source)
	}
	if e.Evidence != nil && out.OK() {
		out.Evidence = e.Evidence(p.Source)
	}
	return out, nil
}

// Picture returns evidence of a program for tests: a small PNG that depends on the source.
func Picture(source string) []record.Blob {
	sum := sha256.Sum256([]byte(source))
	p := &image.Gray{Pix: sum[:], Stride: 8, Rect: image.Rect(0, 0, 8, 4)}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		panic("kit: " + err.Error())
	}
	return []record.Blob{Blob("image/png", b.Bytes())}
}

// Blob returns a piece of evidence.
func Blob(mediaType string, data []byte) record.Blob {
	digest := sha256.Sum256(data)
	return record.Blob{MediaType: mediaType, Digest: hex.EncodeToString(digest[:]), Data: data}
}

// unit maps eight bytes to [0,1).
func unit(b []byte) float64 { return float64(binary.LittleEndian.Uint64(b)>>11) / (1 << 53) }

// A Config configures Run. Zero fields get the defaults in the comments.
type Config struct {
	Problem   bench.Problem    // Problem()
	Model     llm.Model        // required
	Evaluator bench.Evaluator  // &Evaluator{}
	Analyzer  program.Analyzer // none, for methods that parse no programs
	Seed      uint64           // 1
	Budget    int              // 60
	Requests  int              // the method's choice, usually 5 × Budget
	Dir       string           // a temporary directory of the test
}

// Prepare makes the bench.Run of a method for a configuration.
func Prepare(tb T, m bench.Method, c Config) *bench.Run {
	tb.Helper()
	if c.Problem.Name == "" {
		c.Problem = Problem()
	}
	if c.Evaluator == nil {
		c.Evaluator = &Evaluator{}
	}
	if c.Seed == 0 {
		c.Seed = 1
	}
	if c.Budget == 0 {
		c.Budget = 60
	}
	if c.Requests == 0 {
		c.Requests = bench.RequestsOf(m, c.Budget)
	}
	if bench.Observes(m) {
		if e, ok := c.Evaluator.(*Evaluator); ok && e.Evidence == nil {
			e.Evidence = Picture
		}
	}
	config, err := json.Marshal(m)
	if err != nil {
		tb.Fatalf("configuration of %s: %v", m.Name(), err)
	}
	return &bench.Run{Method: m, Conditions: bench.Conditions{
		Header: record.Header{
			Format: record.FormatVersion, Task: c.Problem.Name, Version: "test",
			Method: m.Name(), MethodVersion: bench.VersionOf(m), Config: config,
			Models: map[string]string{"": c.Model.Name()},
			Seed:   c.Seed, Budget: c.Budget, Requests: c.Requests,
		},
		Problem: c.Problem, Model: c.Model, Evaluator: c.Evaluator, Analyzer: c.Analyzer,
	}}
}

// Run executes a method to its end and returns the run as read from its directory.
func Run(tb T, m bench.Method, c Config) *record.Loaded {
	tb.Helper()
	if c.Dir == "" {
		c.Dir = filepath.Join(tb.TempDir(), "run")
	}
	if _, err := Prepare(tb, m, c).Execute(tb.Context(), c.Dir); err != nil {
		tb.Fatalf("%s: %v", m.Name(), err)
	}
	l, err := record.Load(c.Dir)
	if err != nil {
		tb.Fatal(err)
	}
	checkNotes(tb, m, l)
	return l
}

// checkNotes checks every note against the types that the method lists.
func checkNotes(tb T, m bench.Method, l *record.Loaded) {
	tb.Helper()
	kinds := bench.NotesOf(m)
	for _, rec := range l.Records {
		notes := []record.Note{}
		if rec.Step != nil {
			notes = rec.Step.Notes
		} else {
			notes = append(notes, *rec.Note)
		}
		for _, n := range notes {
			if _, err := kinds.Decode(n.Kind, n.Value); err != nil {
				tb.Fatalf("%s: %v: see bench.Noter", m.Name(), err)
			}
		}
	}
}
