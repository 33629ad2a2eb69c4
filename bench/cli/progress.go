package cli

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"github.com/pacebench/pacebench/bench"
)

// A meter shows how far the cells of one command are: one line that is redrawn on a terminal, a plain line for
// every tenth of a cell otherwise. It is safe for concurrent use.
type meter struct {
	w        io.Writer
	terminal bool
	start    time.Time

	mu     sync.Mutex
	cells  int
	ended  int
	evals  map[string]bench.Progress // guarded by mu, like all below
	tenth  map[string]int
	total  int // evaluations of all cells
	fresh  int // evaluations that were worked on, not replayed
	drawn  time.Time
	length int // of the line on the terminal
}

func newMeter(w io.Writer, cells, total int) *meter {
	m := &meter{w: w, start: time.Now(), cells: cells, total: total, evals: map[string]bench.Progress{}, tenth: map[string]int{}}
	if f, ok := w.(*os.File); ok {
		m.terminal = term.IsTerminal(int(f.Fd()))
	}
	return m
}

// update notes a cell's progress. value turns a score into the task's own unit.
func (m *meter) update(cell string, p bench.Progress, value func(float64) float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !p.Replayed {
		m.fresh += p.Evaluations - m.evals[cell].Evaluations
	}
	m.evals[cell] = p
	best := "none yet"
	if p.Best != nil {
		best = fmt.Sprintf("%.6g", value(*p.Best))
	}
	if m.terminal {
		if time.Since(m.drawn) > 100*time.Millisecond {
			m.draw(fmt.Sprintf("%s  %s  %d/%d  best %s", m.overall(), cell, p.Evaluations, p.Budget, best))
		}
		return
	}
	if t := 10 * p.Evaluations / p.Budget; t > m.tenth[cell] {
		m.tenth[cell] = t
		fmt.Fprintf(m.w, "%s: %d/%d evaluations, %d requests, best %s, %s\n", cell, p.Evaluations, p.Budget, p.Requests, best, m.overall())
	}
}

// overall is the share of all evaluations, with the time left at the pace of the work done so far.
func (m *meter) overall() string {
	done := 0
	for _, p := range m.evals {
		done += p.Evaluations
	}
	eta := "?"
	if m.fresh > 0 {
		left := time.Duration(float64(time.Since(m.start)) / float64(m.fresh) * float64(max(0, m.total-done)))
		eta = left.Round(time.Second).String()
	}
	const width = 20
	if !m.terminal {
		return fmt.Sprintf("all %d%%, ETA %s", 100*done/max(1, m.total), eta)
	}
	bar := make([]rune, width)
	for i := range bar {
		bar[i] = '░'
		if i < width*done/max(1, m.total) {
			bar[i] = '█'
		}
	}
	return fmt.Sprintf("%s %3d%%  cells %d/%d  ETA %s", string(bar), 100*done/max(1, m.total), m.ended, m.cells, eta)
}

// say prints a message of its own line.
func (m *meter) say(format string, args ...any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
	fmt.Fprintf(m.w, format+"\n", args...)
}

// cellEnded counts a finished cell.
func (m *meter) cellEnded() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.ended++
}

// close leaves the terminal clean.
func (m *meter) close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.clear()
}

func (m *meter) draw(line string) {
	m.drawn = time.Now()
	if w, _, err := term.GetSize(int(m.w.(*os.File).Fd())); err == nil && w > 1 {
		if r := []rune(line); len(r) >= w {
			line = string(r[:w-1])
		}
	}
	n := len([]rune(line))
	fmt.Fprintf(m.w, "\r%s%*s", line, max(0, m.length-n), "")
	m.length = n
}

func (m *meter) clear() {
	if m.length > 0 {
		fmt.Fprintf(m.w, "\r%*s\r", m.length, "")
		m.length = 0
	}
}
