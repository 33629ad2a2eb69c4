package view

import (
	"bytes"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record/results"
)

// large writes runs of 1000 evaluations, four for each seed. The runs of other seeds are copies of
// the runs of the first seed.
func large(t *testing.T, seeds int) *Site {
	t.Helper()
	root := t.TempDir()
	for i, method := range []string{"eoh", "reevo", "hsevo", "pace"} {
		made := resultstest.Run{
			Task: "tsp-construct", Method: method, Models: resultstest.Offline, Seed: 1,
			Budget: 1000, Evaluations: 1000, Start: 12, Floor: 6.4 - 0.1*float64(i), Pad: 2000,
			Tests: resultstest.TSPTests(6.5, 12.5, 19.5, 27),
		}.Write(t, root)
		for _, name := range []string{
			"journal.jsonl", "result.json", "run.json", "timing.jsonl", "best.py",
		} {
			data := string(must.Read(t, filepath.Join(made, name)))
			for seed := 2; seed <= seeds; seed++ {
				text := strings.Replace(data, `"seed":1,`, fmt.Sprintf(`"seed":%d,`, seed), 1)
				text = strings.Replace(text, `"seed": 1,`, fmt.Sprintf(`"seed": %d,`, seed), 1)
				must.Write(t, filepath.Join(filepath.Dir(made), fmt.Sprint(seed), name), text)
			}
		}
	}
	return &Site{Dirs: []string{root}, Tasks: tasks}
}

// TestChromiumLarge: the list of 200 runs of 1000 evaluations opens within two seconds of processor
// time, and so does a run's page, both served from the first request on and from files. A slow
// machine may take up to four times as long as for the list of 20 runs.
func TestChromiumLarge(t *testing.T) {
	long(t)
	patience = 150 * time.Millisecond
	t.Cleanup(func() { patience = 0 })
	const runs = 200
	s := large(t, runs/4)
	b := launch(t)
	few := pace{}
	type quick func(p *tab, what string, do func())
	check := func(t *testing.T, address string, runs int, quick quick) {
		p := b.open(t, "about:blank", 1280, 800)
		shown := fmt.Sprintf(
			"document.querySelector('main table:not(.heat)')?.tBodies[0].rows.length === %d", runs)
		quick(p, "the list", func() {
			p.show(address)
			p.until(shown)
		})
		at, most := 0, runs/4
		quick(p, "a run", func() {
			at = at%most + 1
			ask[any](p, fmt.Sprintf(
				"location.hash = '#/run/' + index.runs.findLast((r) => r.seed === %d).id", at))
			p.until(fmt.Sprintf(
				"current?.r.seed === %d && "+
					"document.querySelector('[aria-label^=Every] canvas')", at))
		})
		quick(p, "a program", func() {
			p.press("j")
			p.until("document.querySelector('#heading')")
		})
	}
	small, err := large(t, 5).Write(t.Context(), t.TempDir())
	must.Do(t, err)
	check(t, "file://"+small, 20, few.learn)
	t.Run("served", func(t *testing.T) {
		server := httptest.NewServer(s.Handler())
		t.Cleanup(server.Close)
		check(t, server.URL, runs, few.quick)
		p := b.open(t, server.URL, 1280, 800)
		p.until("!!index && !index.waiting") // all are read
		few.quick(p, "the list", func() {
			p.show(server.URL)
			p.until("document.querySelector('main table:not(.heat)')" +
				"?.tBodies[0].rows.length === 200")
		})
	})
	t.Run("files", func(t *testing.T) {
		page, err := s.Write(t.Context(), t.TempDir())
		must.Do(t, err)
		check(t, "file://"+page, runs, few.quick)
	})
}

// A pace has the processor time that pages of few runs took, by action.
type pace map[string]time.Duration

func (few pace) learn(p *tab, what string, do func()) {
	before := worktime()
	do()
	few[what] = worktime() - before
}

// quick fails if a page takes more than two seconds of processor time, and more than four times as
// much as a page of few runs. It tries several times, because the server still reads runs at first.
func (few pace) quick(p *tab, what string, do func()) {
	p.t.Helper()
	var worked []time.Duration
	for range 5 {
		before := worktime()
		do()
		worked = append(worked, worktime()-before)
		if slices.Min(worked) <= max(2*time.Second, 4*few[what]) {
			p.t.Logf("%s: %v of the processor", what, worked)
			return
		}
	}
	p.t.Errorf("%s: %v of the processor, with few runs %v", what, worked, few[what])
}

// worktime returns the processor time of this process and of all its living descendants.
func worktime() time.Duration {
	parent, used := map[int]int{}, map[int]int{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		text, _ := os.ReadFile(name)
		fields := strings.Fields(string(text[bytes.LastIndexByte(text, ')')+1:]))
		if len(fields) < 13 {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parent[pid], _ = strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		used[pid] = user + system
	}
	ticks := 0
	for pid := range used {
		for at := pid; at > 1; at = parent[at] {
			if at == os.Getpid() {
				ticks += used[pid]
				break
			}
		}
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// BenchmarkLongRun serves the data of a run of 10,000 evaluations: 2 kB of source each.
func BenchmarkLongRun(b *testing.B) {
	root := b.TempDir()
	resultstest.Run{
		Task: "tsp-construct", Method: "pace", Models: resultstest.Offline, Seed: 1,
		Budget: 10_000, Evaluations: 10_000, Start: 12, Floor: 6.4, Pad: 2000,
	}.Write(b, root)
	s := &Site{Dirs: []string{root}, Tasks: tasks}
	_, runs, err := s.read(&results.Reader{})
	must.Do(b, err)
	for b.Loop() {
		d, err := s.detail(runs[0])
		must.Do(b, err)
		data, err := script("run", d)
		must.Do(b, err)
		b.ReportMetric(float64(len(data)), "B")
	}
}
