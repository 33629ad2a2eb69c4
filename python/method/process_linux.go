package pymethod

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/python"
)

// boot is the program of a process: it loads the modules in its first line of input, and starts
// pacebench.method.
//
//go:embed boot.py
var boot string

// Bounds on the notes and the command that answer one event, far above the size of long prompts.
const (
	most      = 64 << 20
	mostLines = 100_000
)

// A process is a Python that runs a method. One goroutine uses it at a time. Killing it ends every
// call that would block for ever.
type process struct {
	*python.Process
	file     *file
	events   *os.File
	commands *bufio.Reader
	theirs   *os.File // the end of the pipe that commands reads
	output   *output
	unsee    func() bool
	calm     func()       // ends watch
	turns    atomic.Int64 // beginnings and ends of exchanges: odd during an exchange
}

// errDied means that the process ended, and this package did not end it.
var errDied = errors.New("its process ended")

// start starts a process and keeps its output in the file log; "" means no log. The process is
// killed when ctx ends.
func start(ctx context.Context, f *file, log string) (*process, error) {
	out, err := newOutput(log)
	if err != nil {
		return nil, err
	}
	var ends [4]*os.File
	for i := 0; i < len(ends); i += 2 {
		if ends[i], ends[i+1], err = os.Pipe(); err != nil {
			return nil, err
		}
	}
	p := &process{
		file: f, events: ends[1], theirs: ends[2], commands: bufio.NewReaderSize(ends[2], 64<<10),
		output: out,
	}
	cmd := exec.Command(f.env.Python, append(slices.Clone(python.Flags), "-c", boot)...)
	cmd.Env = slices.Concat(python.Environment, []string{"PATH=" + os.Getenv("PATH")},
		f.options.Environment)
	cmd.Dir, cmd.ExtraFiles = f.dir(), []*os.File{ends[0], ends[3]}
	cmd.Stdout, cmd.Stderr = out, out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.WaitDelay = python.EndGrace
	p.Process, err = python.Start(cmd)
	ends[0].Close()
	ends[3].Close()
	if err != nil {
		ends[1].Close()
		ends[2].Close()
		return nil, fmt.Errorf("start %s: %w", f.path, err)
	}
	p.unsee = context.AfterFunc(ctx, func() { p.End(context.Cause(ctx)) })
	p.calm = p.watch()
	modules := python.Modules()
	first, err := json.Marshal(map[string]any{"path": f.path, "modules": [][2]string{
		{"pacebench.files", modules["pacebench.files"]},
		{"pacebench.method", modules["pacebench.method"]},
	}})
	if err != nil {
		panic("pymethod: texts do not encode: " + err.Error())
	}
	_, _ = p.events.Write(append(first, '\n')) // the next exchange reports the error
	return p, nil
}

// close ends the process and waits for it. A process about to end may still print.
func (p *process) close() {
	p.unsee()
	p.calm()
	p.events.Close()
	_ = p.Autopsy(errDied)
	p.theirs.Close()
	p.output.close()
}

// exchange sends an event and returns the lines that the method writes; the last is its command.
func (p *process) exchange(event []byte) (all []command, err error) {
	p.turns.Add(1)
	defer p.turns.Add(1)
	if _, err := p.events.Write(event); err != nil {
		return nil, p.autopsy()
	}
	for left := most; ; {
		line, err := p.line(left)
		if err != nil {
			return nil, err
		}
		if left -= len(line); len(all) == mostLines {
			return nil, flood("%d lines", mostLines)
		}
		w := command{line: line}
		err = json.Unmarshal(line, &w)
		if kind := (*json.UnmarshalTypeError)(nil); errors.As(err, &kind) && w.Op != "" {
			w.bad, err = fmt.Errorf("%s: %w", w.Op, hint.JSON(err)), nil
		}
		if err != nil || w.Op == "" {
			return nil, misplaced(line)
		}
		if all = append(all, w); w.Op != opNote && w.Op != opLeft {
			return all, nil
		}
	}
}

// line reads a line of at most left bytes.
func (p *process) line(left int) (line []byte, err error) {
	for {
		part, err := p.commands.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > left:
			return nil, flood("%d MiB", most>>20)
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, p.autopsy()
		}
	}
}

// flood returns the error of a method that writes without end and sends no command.
func flood(format string, n int) error {
	return hint.Add(fmt.Errorf("it wrote "+format+" without waiting for an answer", n),
		"write fewer or shorter notes")
}

// watch kills the process if one exchange takes more CPU time than Options.Patience, or ten times
// as long by the clock, because a sleeping process uses no CPU time. It looks once per tick, so
// that exchanges cost nothing, and counts from the first tick within the exchange.
func (p *process) watch() (stop func()) {
	patience := p.file.options.Patience
	tick := min(time.Second, patience)
	var turn int64
	var begun, waited time.Duration
	return python.Watch(tick, func(int) bool {
		now := p.turns.Load()
		if now != turn || now%2 == 0 {
			turn, begun, waited = now, p.CPU(), 0
			return false
		}
		waited += tick
		if p.CPU()-begun < patience && waited < 10*patience {
			return false
		}
		p.End(hint.Add(fmt.Errorf("for %v of CPU time, or ten times as long by the clock, it made "+
			"no call that waits for an answer", patience), "--method-patience sets the limit"))
		return true
	})
}

func (p *process) autopsy() error {
	if cause := p.Autopsy(errors.New("its process closed descriptor 3 or 4")); cause != nil {
		return cause
	}
	err := fmt.Errorf("%w: %s", errDied, p.State())
	if line := p.output.LastLine(); line != "" {
		err = fmt.Errorf("%w; it printed %s", err, python.Shorten(oneLine(line), 300))
	}
	return err
}

// mostLog is the number of bytes of a method's output that are kept: a megabyte holds any
// traceback, and the logs of a thousand runs fit on a disk.
const mostLog = 1 << 20

// An output keeps the beginning of what a process prints in a file, and the end in memory.
type output struct {
	python.Tail
	mu   sync.Mutex
	file *os.File // guarded by mu; nil: no file, or a full one
	room int      // guarded by mu
}

func newOutput(path string) (*output, error) {
	if path == "" {
		return &output{}, nil
	}
	f, err := plain.Open(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY)
	return &output{file: f, room: mostLog}, err
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil {
		part := b[:min(len(b), o.room)]
		_, err := o.file.Write(part) // an error only means a shorter log
		if o.room -= len(part); o.room == 0 || err != nil {
			o.file.Close()
			o.file = nil
		}
	}
	return o.Tail.Write(b)
}

func (o *output) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}

func oneLine(s string) string { return python.OneLine(s, '?') }
