package sandbox

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/program"
)

// Bounds of one analysis. Ordinary sources are below 20 KiB and take less than a millisecond; the
// worst ones take a second. The bounds are far above both, because slow and fast machines must
// refuse the same sources.
const (
	analyzerSource = 256 << 10
	analyzerCache  = 4096      // analyses kept
	analyzerCPU    = 24 * 3600 // seconds of a process, which answers many requests
)

var analyzerLimits = bench.Limits{Wall: 10 * time.Minute, CPU: time.Minute, Memory: 512 << 20}

// analyzerModules are the imports of program.AnalyzerSource; NumPy is not among them.
var analyzerModules = []string{
	"ast", "builtins", "hashlib", "json", "math", "re", "types", "warnings",
}

// An Analyzer runs program.AnalyzerSource in a confined process that serves many requests and
// executes no candidate. It implements program.Analyzer. It answers equal sources from memory, so
// an Analysis must not be modified.
type Analyzer struct {
	server *forkServer
	source string // defines analyze
	limits bench.Limits

	turn    chan struct{} // holds one token; the goroutine that has it may use process
	process *process      // nil: no process is running
	cache   *lru.Cache[[sha256.Size]byte, program.Analysis]
}

var _ program.Analyzer = (*Analyzer)(nil)

// OpenAnalyzer starts an analyser. Its processes are killed when ctx ends; Close also waits for
// them.
func OpenAnalyzer(ctx context.Context, cfg Config) (*Analyzer, error) {
	return openAnalyzer(ctx, cfg, program.AnalyzerSource())
}

func openAnalyzer(ctx context.Context, cfg Config, source string) (*Analyzer, error) {
	s, err := openForkServer(ctx, cfg, analyzerModules)
	if err != nil {
		return nil, err
	}
	cache, err := lru.New[[sha256.Size]byte, program.Analysis](analyzerCache)
	if err != nil {
		s.close()
		return nil, err
	}
	a := &Analyzer{
		server: s, source: source, limits: analyzerLimits,
		turn: make(chan struct{}, 1), cache: cache,
	}
	a.turn <- struct{}{}
	return a, nil
}

// Close ends all processes and waits for them.
func (a *Analyzer) Close() error {
	a.server.kill() // the current request fails and returns the token
	<-a.turn
	if a.process != nil {
		a.server.end(a.process)
		a.process = nil
	}
	a.server.close()
	a.turn <- struct{}{}
	return nil
}

// Analyze implements program.Analyzer. It refuses a text that CPython does not compile, and a text
// that exceeds the analyser's limits (size, time, memory, nesting).
func (a *Analyzer) Analyze(ctx context.Context, source string) (program.Analysis, error) {
	if len(source) > analyzerSource {
		return refused("source of more than %d KiB", analyzerSource>>10), nil
	}
	if !utf8.ValidString(source) {
		return refused("source is not valid UTF-8"), nil
	}
	digest := sha256.Sum256([]byte(source))
	if known, ok := a.cache.Get(digest); ok {
		return known, nil
	}
	var result program.Analysis
	fault, err := a.answer(ctx, source, &result)
	if err != nil {
		return result, err
	}
	if fault != nil {
		result = refused("cannot be analysed: %s", fault.Detail)
	}
	a.cache.Add(digest, result)
	return result, nil
}

// Parts implements program.Parter. It refuses what Analyze refuses.
func (a *Analyzer) Parts(ctx context.Context, source, target string, most int) (
	p program.Parts, err error) {
	known, err := a.Analyze(ctx, source)
	if err != nil || known.Syntax != nil {
		return program.Parts{Syntax: known.Syntax}, err
	}
	fault, err := a.answer(ctx, program.PartsRequest(source, target, most), &p)
	if fault != nil {
		p.Syntax = refused("cannot be divided into parts: %s", fault.Detail).Syntax
	}
	return p, err
}

// answer sends a request to the process and decodes the answer. It returns a fault if the source is
// the cause of the failure.
func (a *Analyzer) answer(ctx context.Context, request string, into any) (*bench.Fault, error) {
	select {
	case <-a.turn:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { a.turn <- struct{}{} }()
	text, err := a.ask(ctx, request)
	if fault, ok := errors.AsType[*bench.Fault](err); ok {
		return fault, nil
	}
	if err == nil {
		if err = json.Unmarshal([]byte(text), into); err != nil {
			err = fmt.Errorf("sandbox: answer of the analyser: %w", hint.JSON(err))
		}
	}
	return nil, err
}

func refused(format string, args ...any) program.Analysis {
	return program.Analysis{Syntax: &program.SyntaxError{Message: fmt.Sprintf(format, args...)}}
}

// ask sends the source to the process and returns the answer. It starts a process if none is
// running, and another one if the zygote has ended. The error is a *bench.Fault if the source is
// its cause.
func (a *Analyzer) ask(ctx context.Context, source string) (_ string, err error) {
	for range 3 {
		if err := a.ready(ctx); err != nil {
			return "", err
		}
		a.process.clock.renew()
		var r reply
		r, err = a.process.ask(ctx, kindText, 0, func(b []byte) []byte {
			return append(b, source...)
		})
		if err == nil && r.kind == kindAnswer {
			return r.text, nil
		}
		a.server.end(a.process)
		a.process = nil
		switch {
		case err == nil:
			return "", errors.New("sandbox: the analyser gave no answer")
		case !errors.Is(err, bench.ErrInterrupted):
			return "", err
		}
	}
	return "", fmt.Errorf("sandbox: analyser: %w", err)
}

// ready starts a process with the analyser loaded, unless one is running.
func (a *Analyzer) ready(ctx context.Context) error {
	if a.process != nil {
		return nil
	}
	p, err := a.server.spawn(ctx, a.limits, analyzerCPU, "")
	if err != nil {
		return err
	}
	r, err := p.load(ctx, a.source, "analyze")
	if err == nil && r.kind == kindReady {
		a.process = p
		return nil
	}
	a.server.end(p)
	if fault, ok := errors.AsType[*bench.Fault](err); ok {
		return fmt.Errorf("sandbox: the analyser does not load: %v", fault)
	}
	return err
}
