// Package status shows on stderr what a command's runs are doing, so that a person can tell work
// from waiting: a display that redraws itself on a terminal, lines of text elsewhere. Start at
// Open and Board.Add.
//
// The display stays in the terminal's normal mode: it reads nothing, hides no cursor and asks the
// terminal nothing, so Ctrl-C, or a kill, has nothing to restore. This is why a full framework
// such as Bubble Tea is not used: it takes the keyboard over.
package status

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/pacebench/pacebench/llm"
)

const (
	// tick is how often the display is drawn; a new window size is found then, too.
	tick = 250 * time.Millisecond
	// heartbeat is the longest silence without a terminal.
	heartbeat = time.Minute
)

// Config says how a board looks.
type Config struct {
	Quiet bool // show nothing but warnings
	// Elsewhere says that another program shows how far the runs are; messages are printed.
	Elsewhere bool
	AtOnce    int // runs under way at once, for the time left; 0: 1
	// Purse has what all runs of the command cost, in earlier commands too; nil, or without a
	// bound: what the runs shown cost is added up.
	Purse *llm.Purse
}

// A Board shows the runs of one command. It is safe for concurrent use.
type Board struct {
	quiet  bool
	shown  bool // how far the runs are is shown here
	atOnce int
	purse  *llm.Purse
	start  time.Time
	stop   func() // ends the goroutine that draws

	mu      sync.Mutex // guards all below, the runs' fields included
	lines   []*Line
	pace    map[string]time.Duration // per instance, by kind and stage, as measured
	recent  []commit                 // evaluations of the last minute
	printed time.Time                // the last line of text
	w       io.Writer
	screen  *screen // nil: not a terminal
}

// Open begins to show what happens on w. Close it before anything else is written to the terminal.
func Open(w io.Writer, c Config) *Board {
	var s *screen
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		size := func() (int, int, error) { return term.GetSize(int(f.Fd())) }
		s = &screen{w: w, size: size, colour: os.Getenv("NO_COLOR") == ""}
	}
	return open(w, s, c)
}

// Columns is the width of the terminal that w is, 0 where it is something else.
func Columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 0
}

func open(w io.Writer, s *screen, c Config) *Board {
	now := time.Now()
	b := &Board{
		quiet: c.Quiet, shown: !c.Quiet && !c.Elsewhere,
		atOnce: max(1, c.AtOnce), purse: cmp.Or(c.Purse, &llm.Purse{}),
		start: now, printed: now,
		pace: map[string]time.Duration{}, w: w, screen: s, stop: func() {},
	}
	if !b.shown {
		b.screen = nil
		return b
	}
	end, ended := make(chan struct{}), make(chan struct{})
	b.stop = func() { close(end); <-ended }
	go func() {
		defer close(ended)
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				b.show(time.Now())
			case <-end:
				return
			}
		}
	}()
	return b
}

// Close takes the display off the terminal. Call it once.
func (b *Board) Close() {
	b.stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.screen != nil {
		b.screen.draw(nil, nil)
	}
	b.quiet, b.shown = true, false
}

// show draws the display, or prints a line of text where there has been none for a while.
func (b *Board) show(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.screen != nil:
		b.screen.draw(nil, b.frame(now))
	case len(b.lines) > 0 && now.Sub(b.printed) >= heartbeat-tick:
		b.print(b.summary(now))
	}
}

// Say prints a message above the display.
func (b *Board) Say(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.quiet {
		b.print(fmt.Sprintf(format, args...))
	}
}

// Warn prints a message even where all others are unwanted.
func (b *Board) Warn(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.print(fmt.Sprintf(format, args...))
}

// print writes one line of text; foreign text in it cannot control the terminal.
func (b *Board) print(line string) {
	b.printed = time.Now()
	line = printable(line)
	if b.screen != nil {
		b.screen.draw([]string{line}, b.frame(b.printed))
		return
	}
	fmt.Fprintln(b.w, line)
}
