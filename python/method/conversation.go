package pymethod

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// version is the version of the protocol. The process reads events from descriptor 3 and writes
// commands to 4, one JSON object per line. Each event is answered by one command, which any number
// of note and left lines may precede. Unknown fields are ignored; an unknown op ends the run. A
// command or note may have a file and a line for errors.
//
//	→ {"ev":"start","v":1,"seed":1,"config":{…},"problem":{…},"evaluations":0,"left":200}
//	← {"op":"stream","window":4}
//	→ {"ev":"propose","evaluations":0,"left":200,"room":true}
//	← {"op":"sample","step":0,"purpose":"algorithm/i1","prompt":"…","temperature":1.0,…}
//	→ {"ev":"propose",…}                                 … until the window is full
//	→ {"ev":"sampled","step":0,"reply":{…},"program":{…},"outcome":{…}}
//	← {"op":"note","step":0,"kind":"offspring","value":{…}}
//	← {"op":"done","step":0}
//	→ {"ev":"committed","step":0,"evaluations":1,"left":195,"room":true}
//	← {"op":"sample","step":4,…}
//	→ {"ev":"streamed",…}
//	← {"op":"end"}                                       or {"op":"error","error":"…","line":41}
//
// The answer to propose is the first command of the new step, or "none". Steps are numbered from 0.
// A committed event with room for one more step has the same answers as propose; without room, its
// answer is "next". The answer "break" leaves the loop. The events reply, program, outcome and
// analysis answer ask, extract, evaluate and analyze. The commands do and consult may come before
// an answer to propose or committed, and before a stream. Go answers them with begin, which the
// step's first command answers, and at the end of the step with committed; if nothing is left, it
// answers with spent. If these commands used up the room of a proposal, "next" follows.
const version = 1

// The ops of a method. Note and left have no answer and come before a command.
const (
	opNote     = "note"
	opLeft     = "left"
	opStream   = "stream"
	opNone     = "none"
	opNext     = "next"
	opBreak    = "break"
	opDo       = "do"
	opConsult  = "consult"
	opAsk      = "ask"
	opExtract  = "extract"
	opEvaluate = "evaluate"
	opSample   = "sample"
	opAnalyze  = "analyze"
	opDone     = "done"
	opEnd      = "end"
	opError    = "error"
)

// A command is a line that a method writes.
type command struct {
	Op   string `json:"op"`
	Step *int   `json:"step"`

	Window int `json:"window"` // stream

	Purpose     string   `json:"purpose"` // ask, sample
	Prompt      string   `json:"prompt"`
	Temperature float64  `json:"temperature"`
	MaxTokens   int      `json:"max_tokens"`
	Images      []string `json:"images"` // digests

	Text   string `json:"text"`   // extract
	Source string `json:"source"` // evaluate, analyze

	Kind  string          `json:"kind"` // note
	Value json.RawMessage `json:"value"`

	Error  string            `json:"error"` // error
	File   string            `json:"file"`
	Line   int               `json:"line"`
	Advice string            `json:"advice"`
	Met    map[string]string `json:"met"` // end, error

	line  []byte
	bad   error       // the error of a field of the wrong type
	notes []note.Note // notes of its step that precede it
}

// An event is a line that Go sends to a method.
type event struct {
	Ev   string `json:"ev"`
	Step *int   `json:"step,omitempty"`
	*runState

	*beginning // start

	Reply    *llm.Reply        `json:"reply,omitempty"` // reply, sampled
	Program  *found            `json:"program,omitempty"`
	Outcome  *outcome          `json:"outcome,omitempty"`
	Analysis *program.Analysis `json:"analysis,omitempty"`
}

// A runState is the part of an event that reports the budget and, if it changed, the best program.
type runState struct {
	Evaluations int   `json:"evaluations"`
	Left        int   `json:"left"`
	Room        bool  `json:"room,omitempty"` // for one more proposal
	Best        *best `json:"best,omitempty"` // if it has changed
}

type best struct {
	Source     string  `json:"source"`
	Score      float64 `json:"score"`
	Evaluation int     `json:"evaluation"`
}

type beginning struct {
	Version int                        `json:"v"`
	Seed    uint64                     `json:"seed"`
	Config  map[string]json.RawMessage `json:"config"`
	Files   map[string]string          `json:"files"`
	Problem methods.Texts              `json:"problem"`
}

// A found is the program in a reply, or the reason why there is no program.
type found struct {
	Source  string `json:"source,omitempty"`
	Code    string `json:"code,omitempty"`
	Thought string `json:"thought,omitempty"`
	Refused string `json:"lost,omitempty"`
}

type outcome struct {
	Score    *float64         `json:"score,omitempty"`
	Values   []float64        `json:"values,omitempty"`
	Fault    record.FaultKind `json:"fault,omitempty"`
	Detail   string           `json:"detail,omitempty"`
	Evidence []evidence       `json:"evidence,omitempty"`
}

type evidence struct {
	MediaType string `json:"media_type"`
	Digest    string `json:"digest"`
	Text      string `json:"text,omitempty"`
}

// A flight is a step in progress. Its job runs concurrently with the run's goroutine. Only the
// run's goroutine talks to the process: it takes the job's events and returns the commands that
// answer them.
type flight struct {
	number   int
	events   chan event
	commands chan command
	ended    chan struct{} // closed when the job has ended
	err      error         // why the job ended; valid once ended is closed
}

// A conversation connects one run with its method. The run's goroutine leads it.
//
// The process only answers events, so that the events determine its state. If a process dies, a new
// one gets all earlier events.
type conversation struct {
	*Method
	ctx    context.Context
	cancel context.CancelFunc
	s      *bench.Search

	p        *process
	sent     [][]byte // all events
	size     int      // of sent, in bytes
	received [][sha256.Size]byte
	deaths   int // since the last new event that was answered

	steps    int       // begun
	proposed *command  // the next step's first command, if it came with the answer to committed
	flights  []*flight // in the order proposed
	turn     int       // the next step to serve has this number or a higher one
	best     int       // the best evaluation that the method knows
	err      error     // why the conversation has ended

	pictures sync.Map // sent to the method: bench.Blob by digest
}

// Run leads the method through a run.
func (m *Method) Run(ctx context.Context, s *bench.Search) error {
	t := &conversation{Method: m, s: s}
	t.ctx, t.cancel = context.WithCancel(ctx)
	defer t.cancel()
	s.Pump(t.serve)
	defer s.Pump(nil)
	defer func() {
		if t.p != nil {
			t.p.close()
		}
	}()
	err := t.lead()
	if ctx.Err() == nil && t.err != nil {
		return t.err
	}
	return cmp.Or(err, ctx.Err())
}

func (t *conversation) fail(err error) error {
	if t.err == nil {
		t.err = err
		t.cancel()
	}
	return t.err
}

func (t *conversation) failf(format string, args ...any) error {
	return t.fail(t.wrong(format, args...))
}

// lead starts the method, and serves its commands until it ends.
func (t *conversation) lead() error {
	w, err := t.exchange(t.withState(event{Ev: "start", beginning: &beginning{
		Version: version, Seed: t.s.Seed(), Config: t.config, Files: t.Files,
		Problem: methods.TextsOf(t.s.Problem()),
	}}))
	for err == nil {
		switch w.Op {
		case opStream:
			w, err = t.stream(w)
		case opDo, opConsult:
			w, err = t.once(w)
		case opEnd:
			return nil
		default:
			err = t.nonsense(w)
		}
	}
	return err
}

// nonsense returns the error of a command that is not allowed at this point.
func (t *conversation) nonsense(w command) error {
	return t.failf("%w", misplaced(w.line))
}

// misplaced returns the error of a line that is not in the protocol, or is not allowed at this
// point.
func misplaced(line []byte) error {
	err := fmt.Errorf("it wrote %.80q to descriptor 4, but this is not a call of search or step "+
		"that is allowed here", line)
	return hint.Add(err, "use print, which writes to method.log; only pacebench.method may write "+
		"to descriptor 4")
}

func (t *conversation) withState(e event) event {
	e.runState = &runState{Evaluations: t.s.Evaluations(), Left: t.s.AtMost(math.MaxInt32),
		Room: t.s.Room()}
	if b, ok := t.s.Best(); ok && b.Evaluation != t.best {
		t.best = b.Evaluation
		e.Best = &best{b.Program.Source, b.Outcome.Score, b.Evaluation}
	}
	return e
}

// Limits on the events of a run, all of which a new process must get again. A run may have
// freeEvents events, and eventsPaid more for each request and each charged evaluation, with
// eventBytes on average. The steps of eoh.py, with four events of some 4 KiB each, stay far below
// these limits.
const (
	freeEvents, eventsPaid = 50_000, 200
	eventBytes             = 4 << 10
)

// exchange sends the method an event and returns its command. It records the notes that precede the
// command.
func (t *conversation) exchange(e event) (command, error) {
	if t.err != nil {
		return command{}, t.err
	}
	line, err := json.Marshal(e)
	if err != nil {
		panic("pymethod: an event does not encode: " + err.Error())
	}
	most := freeEvents + eventsPaid*t.s.Paid()
	if t.size += len(line) + 1; len(t.sent) >= most || t.size > most*eventBytes {
		return command{}, t.fail(hint.Add(t.wrong("%w: it received %d events, %d MiB, for %d "+
			"requests and evaluations", bench.ErrEndless, len(t.sent), t.size>>20, t.s.Paid()),
			"extract and analyze cost nothing, but their number is limited"))
	}
	all, err := t.tell(append(line, '\n'))
	if err != nil {
		if t.ctx.Err() != nil {
			return command{}, t.fail(t.ctx.Err())
		}
		return command{}, t.failf("%w", err)
	}
	w := all[len(all)-1]
	t.mu.Lock()
	maps.Copy(t.met, w.Met)
	t.mu.Unlock()
	if i := slices.IndexFunc(all, func(x command) bool { return x.bad != nil }); i >= 0 {
		return w, t.fail(t.at(all[i], all[i].bad))
	}
	if w.Op == opError {
		return w, t.fail(t.failure(w))
	}
	for _, x := range all[:len(all)-1] {
		if x.Op == opLeft {
			t.s.Left()
			continue
		}
		n, err := noteOf(x)
		switch {
		case err != nil:
			return w, t.fail(t.at(x, err))
		case x.Step == nil:
			t.s.Note(n)
		case w.Step == nil || *w.Step != *x.Step:
			return w, t.failf("a note of step %d while another step was running", *x.Step)
		default:
			w.notes = append(w.notes, n)
		}
	}
	return w, nil
}

// mostDeaths is how often in a row a process may end at one event. A crash by chance, such as one
// from a lack of memory, hardly ever happens four times in a row.
const mostDeaths = 3

// tell sends an event to the process, or to a new one if it has ended.
func (t *conversation) tell(line []byte) ([]command, error) {
	for {
		all, err := t.again()
		if err == nil {
			all, err = t.p.exchange(line)
		}
		switch {
		case err == nil:
			t.sent, t.received, t.deaths = append(t.sent, line), append(t.received, sum(all)), 0
			return all, nil
		case !errors.Is(err, errDied) || t.ctx.Err() != nil || t.deaths == mostDeaths:
			return nil, err
		}
		t.deaths++
		t.p.close()
		t.p = nil
	}
}

// again starts a process unless one is running, and sends it all earlier events.
func (t *conversation) again() (all []command, err error) {
	if t.p != nil {
		return nil, nil
	}
	if t.p, err = start(t.ctx, t.file, t.s.Log()); err != nil {
		return nil, err
	}
	for i, line := range t.sent {
		all, err := t.p.exchange(line)
		switch {
		case err != nil:
			return nil, err
		case sum(all) != t.received[i]:
			return nil, hint.Add(fmt.Errorf("its process ended, and the process that replaced it "+
				"behaves differently: it wrote %.80q", all[len(all)-1].line),
				"pacebench check-method "+t.path+" finds the reason")
		}
	}
	return nil, nil
}

// sum returns the digest of commands, which must be equal in two processes.
func sum(all []command) (s [sha256.Size]byte) {
	h := sha256.New()
	for _, w := range all {
		h.Write(w.line)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func (t *conversation) stream(w command) (command, error) {
	if w.Window < 1 {
		return w, t.failf("a stream's window is %d: want at least 1", w.Window)
	}
	for number, err := range bench.Stream(t.ctx, t.s, w.Window, t.propose) {
		if err != nil {
			return w, cmp.Or(t.err, err)
		}
		if w, err = t.aside(t.committed(number)); err != nil {
			return w, err
		}
		switch {
		case w.Op == opBreak:
		case !t.s.Room():
			if w.Op != opNext {
				return w, t.nonsense(w)
			}
			continue
		default:
			t.proposed = &w // there is room for one more step, and w is its first command
			continue
		}
		break
	}
	if t.err != nil {
		return w, t.err
	}
	return t.exchange(t.withState(event{Ev: "streamed"}))
}

func (t *conversation) aside(w command, err error) (command, error) {
	for err == nil && (w.Op == opDo || w.Op == opConsult) {
		w, err = t.once(w)
	}
	return w, err
}

func (t *conversation) committed(step int) (command, error) {
	return t.exchange(t.withState(event{Ev: "committed", Step: &step}))
}

// propose returns the job that the method has proposed, or asks for a new job. The job begins
// with the first command of its step. nil means that the method proposes no job.
func (t *conversation) propose() bench.Job[int] {
	if t.proposed == nil {
		w, err := t.aside(t.exchange(t.withState(event{Ev: "propose"})))
		if err != nil {
			return nil // the caller's loop over the stream finds the error
		}
		t.proposed = &w
	}
	first := *t.proposed
	t.proposed = nil
	switch {
	case first.Op == opNone:
		return nil
	case first.Op == opNext && !t.s.Room():
		return func(context.Context, *bench.Step) (int, error) { panic("pymethod: no room") }
	}
	number, err := t.begun(first)
	if err != nil {
		return nil
	}
	f := &flight{number: number, events: make(chan event, 1), commands: make(chan command, 1),
		ended: make(chan struct{})}
	if first.Op != opDone {
		t.flights = append(t.flights, f)
	}
	return func(ctx context.Context, st *bench.Step) (int, error) {
		defer close(f.ended)
		defer adding(&t.worked, time.Now())
		f.err = t.work(ctx, st, first, 1, func(e event) (command, error) {
			defer adding(&t.waited, time.Now())
			f.events <- e
			select {
			case w := <-f.commands:
				return w, nil
			case <-ctx.Done():
				return command{}, ctx.Err()
			}
		})
		return number, f.err
	}
}

func adding(sum *atomic.Int64, since time.Time) { sum.Add(int64(time.Since(since))) }

func (t *conversation) begun(w command) (number int, err error) {
	if w.Step == nil || *w.Step != t.steps {
		return 0, t.nonsense(w)
	}
	t.steps++
	return *w.Step, nil
}

func (t *conversation) step(number int, e event) (command, error) {
	e.Step = &number
	w, err := t.exchange(e)
	if err == nil && (w.Step == nil || *w.Step != number) {
		err = t.nonsense(w)
	}
	return w, err
}

// serve answers the events of the steps in flight: one event of each step, in the order proposed,
// over and over until the step head has ended. Therefore the order in which the method's code runs
// does not depend on time.
func (t *conversation) serve(head int) {
	for t.err == nil && slices.ContainsFunc(t.flights, func(f *flight) bool {
		return f.number == head
	}) {
		i := slices.IndexFunc(t.flights, func(f *flight) bool { return f.number >= t.turn })
		i = max(i, 0)
		f := t.flights[i]
		select {
		case e := <-f.events:
			w, err := t.step(f.number, e)
			if err != nil {
				return
			}
			t.turn = f.number + 1
			if w.Op == opDone {
				t.flights = slices.Delete(t.flights, i, i+1)
			}
			f.commands <- w
		case <-f.ended:
			_ = t.fail(f.err) // the steps after it cannot be served
		case <-t.ctx.Done():
			return
		}
	}
}

// once does one step immediately, with or without an evaluation.
func (t *conversation) once(w command) (command, error) {
	do, reserve, number := bench.Consult[int], 0, 0
	if w.Op == opDo {
		do, reserve = bench.Do[int], 1
	}
	_, err := do(t.ctx, t.s, func(ctx context.Context, st *bench.Step) (int, error) {
		first, err := t.exchange(event{Ev: "begin"})
		if err == nil {
			number, err = t.begun(first)
		}
		if err != nil {
			return 0, err
		}
		return number, t.work(ctx, st, first, reserve, func(e event) (command, error) {
			return t.step(number, e)
		})
	})
	switch {
	case errors.Is(err, bench.ErrSpent):
		return t.exchange(t.withState(event{Ev: "spent"}))
	case err != nil:
		return w, cmp.Or(t.err, err)
	}
	return t.committed(number)
}

// work is the job of a step: it follows the method's commands until there are no more. next sends
// the method the answer and returns the next command.
func (t *conversation) work(
	ctx context.Context, st *bench.Step, w command, evaluations int,
	next func(event) (command, error),
) error {
	for {
		for _, n := range w.notes {
			st.Note(n)
		}
		if w.Op == opEvaluate || w.Op == opSample {
			if evaluations--; evaluations < 0 {
				return t.wrong("step %d evaluates more than it reserved", st.Number())
			}
		}
		if w.Op == opDone {
			return nil
		}
		e, err := t.grant(ctx, st, w)
		if err != nil {
			return err
		}
		if w, err = next(e); err != nil {
			return err
		}
	}
}

func (t *conversation) grant(ctx context.Context, st *bench.Step, w command) (e event, err error) {
	switch w.Op {
	case opAsk:
		e.Ev = "reply"
		e.Reply, err = t.ask(ctx, st, w)
	case opExtract:
		e.Ev = "program"
		e.Program, err = t.extract(ctx, st, w.Text)
	case opEvaluate:
		e.Ev = "outcome"
		e.Outcome, err = t.evaluate(ctx, st, w.Source)
	case opSample:
		e.Ev = "sampled"
		if e.Reply, err = t.ask(ctx, st, w); err != nil {
			return e, err
		}
		if e.Program, err = t.extract(ctx, st, e.Reply.Text); err != nil {
			return e, err
		}
		e.Outcome = &outcome{}
		if e.Program.Refused == "" {
			e.Outcome, err = t.evaluate(ctx, st, e.Program.Source)
		}
	case opAnalyze:
		var a program.Analysis
		a, err = st.Analyze(ctx, w.Source)
		e.Ev, e.Analysis = "analysis", &a
	default:
		err = t.wrong("%w", misplaced(w.line))
	}
	return e, err
}

// purpose matches the purposes of requests in the journal: role/operator.
var purpose = regexp.MustCompile(`^[a-z]+/[A-Za-z0-9_+-]{1,40}$`)

func (t *conversation) ask(ctx context.Context, st *bench.Step, w command) (*llm.Reply, error) {
	switch {
	case !purpose.MatchString(w.Purpose):
		return nil, t.at(w, fmt.Errorf("purpose %.60q: want role/operator, as in algorithm/e1",
			w.Purpose))
	case !(w.Temperature >= 0 && w.Temperature <= 2):
		return nil, t.at(w, fmt.Errorf("temperature %g: want 0 to 2", w.Temperature))
	case w.MaxTokens < 1:
		return nil, t.at(w, fmt.Errorf("max_tokens %d: want at least 1", w.MaxTokens))
	}
	user := llm.Text(w.Prompt)
	for _, digest := range w.Images {
		known, ok := t.pictures.Load(digest)
		if !ok {
			return nil, t.at(w, fmt.Errorf("image %.64q is not evidence of this run", digest))
		}
		b := known.(bench.Blob)
		user = append(user, llm.Part{Image: &llm.Image{
			MediaType: b.MediaType, Digest: b.Digest, Data: b.Data,
		}})
	}
	reply, err := st.Ask(ctx, llm.Request{
		Purpose: llm.Purpose(w.Purpose), User: user, Temperature: w.Temperature,
		MaxTokens: w.MaxTokens,
	})
	return &reply, err
}

func (t *conversation) extract(ctx context.Context, st *bench.Step, reply string) (*found, error) {
	problem := t.s.Problem()
	x, err := program.Extract(ctx, st, reply, problem.Template,
		program.Extraction{Imports: problem.Imports, Modules: problem.Modules})
	if refusal, ok := program.Refused(err); ok {
		return &found{Refused: refusal.Reason}, nil
	}
	return &found{Source: x.Program.Source, Code: x.Code, Thought: x.Thought}, err
}

func (t *conversation) evaluate(ctx context.Context, st *bench.Step, source string) (
	*outcome, error) {
	o, err := st.Evaluate(ctx, program.Program{Source: source})
	answer := &outcome{}
	if o.OK() {
		answer.Score, answer.Values = &o.Score, o.Values
	} else {
		answer.Fault, answer.Detail = o.Fault.Kind, o.Fault.Detail
	}
	for _, b := range o.Evidence {
		shown := evidence{MediaType: b.MediaType, Digest: b.Digest}
		if strings.HasPrefix(b.MediaType, "text/") {
			shown.Text = string(b.Data)
		} else {
			t.pictures.Store(b.Digest, b)
		}
		answer.Evidence = append(answer.Evidence, shown)
	}
	return answer, err
}

// kindName matches the kinds that a method may give its own notes.
var kindName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,39}$`)

// decoded decodes the value of a note into value. Fields that the method leaves out do not change.
func decoded[T any](w command, value T) (T, error) {
	d := json.NewDecoder(bytes.NewReader(w.Value))
	d.DisallowUnknownFields()
	err := d.Decode(&value)
	if err != nil {
		err = fmt.Errorf("note %s: %w", w.Kind, hint.JSON(err))
	}
	return value, err
}

// noteOf returns the note for the journal: a note of a kind that reports read, or a remark. It
// encodes the value again, so that the journal does not depend on how Python writes JSON.
func noteOf(w command) (note.Note, error) {
	switch w.Kind {
	case note.Offspring{}.Kind():
		return decoded(w, note.Offspring{})
	case note.Survivors{}.Kind():
		return decoded(w, note.Survivors{Members: []note.Survivor{}})
	case note.Attempt{}.Kind():
		return decoded(w, note.Attempt{})
	case note.Failure{}.Kind():
		return decoded(w, note.Failure{})
	}
	if !kindName.MatchString(w.Kind) {
		return nil, fmt.Errorf("note %.60q: a kind has at most 40 letters, digits, dashes and "+
			"underscores, and begins with a letter", w.Kind)
	}
	value, err := decoded(w, map[string]any(nil))
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(value)
	return note.Remark{Name: w.Kind, Value: text}, err
}
