// Package status shows the progress of a command's runs on stderr, so that a person can tell work
// from waiting. On a terminal it redraws a display. Elsewhere it prints lines of text. Start at
// Open and Board.Add.
//
// The display keeps the terminal in its normal mode. It reads no input, shows the cursor and sends
// no queries, so that Ctrl-C or a kill leaves nothing to restore. A full framework such as Bubble
// Tea would take over the keyboard.
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
	// tick is the interval between redraws. Each redraw also notices a new window size.
	tick = 250 * time.Millisecond
	// heartbeat is the longest time between two lines of text if the output is no terminal.
	heartbeat = time.Minute
)

// Config configures a board.
type Config struct {
	Quiet bool // show nothing but warnings
	// Elsewhere means that another program shows the progress. Messages are still printed.
	Elsewhere bool
	AtOnce    int // concurrent runs, for the time left; 0: 1
	// Purse counts the money that this command, earlier commands and other processes have spent
	// on the results directory. If Purse is nil or has no bound, the display adds up the cost of
	// the runs that it shows.
	Purse *llm.Purse
}

// A Board shows the runs of one command. It is safe for concurrent use.
type Board struct {
	quiet  bool
	shown  bool // the progress is shown here
	atOnce int
	purse  *llm.Purse
	start  time.Time
	stop   func() // ends the goroutine that draws

	mu      sync.Mutex // guards all fields below, and the runs' fields
	lines   []*Line
	pace    map[string]time.Duration // measured time of an instance, by kind and stage
	recent  []commit                 // evaluations of the last minute
	printed time.Time                // time of the last line of text
	w       io.Writer
	screen  *screen // nil: not a terminal
}

// Open begins to show progress on w. Call Close before writing anything else to the terminal.
func Open(w io.Writer, c Config) *Board {
	var s *screen
	if f, ok := w.(*os.File); ok && term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb" {
		size := func() (int, int, error) { return term.GetSize(int(f.Fd())) }
		s = &screen{w: w, size: size, colour: os.Getenv("NO_COLOR") == ""}
	}
	return open(w, s, c)
}

// Columns returns the width of the terminal w, or 0 if w is not a terminal.
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

// Close removes the display from the terminal. Call it once.
func (b *Board) Close() {
	b.stop()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.screen != nil {
		b.screen.draw(nil, nil)
	}
	b.quiet, b.shown = true, false
}

// show redraws the display, or prints a line of text after a long silence.
func (b *Board) show(now time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.screen != nil:
		b.screen.draw(nil, b.view(now))
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

// Warn prints a message even if Quiet is set.
func (b *Board) Warn(format string, args ...any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.print(fmt.Sprintf(format, args...))
}

// print writes one line of text. It makes foreign text harmless to the terminal.
func (b *Board) print(line string) {
	b.printed = time.Now()
	line = printable(line)
	if b.screen != nil {
		b.screen.draw([]string{line}, b.view(b.printed))
		return
	}
	fmt.Fprintln(b.w, line)
}
