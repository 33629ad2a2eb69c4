package view

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"image/png"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/methods"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report/film"
	alltasks "github.com/pacebench/pacebench/tasks"
)

// recorded returns the recorded runs of every method, which are small and use the offline model.
func recorded(t *testing.T) *Site {
	t.Helper()
	s := &Site{
		Dirs: []string{t.TempDir()}, Decoders: results.Decoders{}, Tasks: alltasks.All(),
	}
	for _, m := range methods.All() {
		s.Decoders[m.Name()] = results.Decoder{Notes: bench.NotesOf(m)}
		s.Methods = append(s.Methods, bench.LabelOf(m))
	}
	if own := os.Getenv("PACEBENCH_RESULTS"); own != "" {
		s.Dirs = []string{own}
		return s
	}
	for _, pattern := range []string{"tsp-construct-*", "bipedal-walker-mles"} {
		runs, err := filepath.Glob("../../cli/testdata/recorded/" + pattern + ".jsonl.gz")
		if err != nil || len(runs) == 0 {
			t.Fatal(pattern, err)
		}
		for _, run := range runs {
			dir := filepath.Join(s.Dirs[0], strings.TrimSuffix(filepath.Base(run), ".jsonl.gz"))
			must.Write(t, filepath.Join(dir, "journal.jsonl"), gunzip(t, must.Read(t, run)))
			l, err := record.LoadJournal(dir)
			must.Do(t, err)
			r := l.Summarize()
			r.Stopped = "budget"
			must.Do(t, record.WriteResult(dir, r))
		}
	}
	return s
}

// TestChromiumMethods: the notes of each method have a view of their own, which is not empty, and
// programs can be filtered by the generations that the method notes.
func TestChromiumMethods(t *testing.T) {
	long(t)
	b := launch(t)
	server := httptest.NewServer(recorded(t).Handler())
	t.Cleanup(server.Close)
	p := b.open(t, server.URL, 1280, 800)
	p.until("typeof index === 'object' && !index.waiting && document.querySelector('main table')")
	generations := 0
	for method, parts := range map[string][]string{
		"pace":     {"EAP library", "Population"},
		"mcts-ahd": {"Search tree", "Elite"},
		"reevo":    {"Reflections", "Population"},
		"hsevo":    {"Harmony search", "Reflections", "Population"},
		"eoh":      {"Population"}, "mles": {"Population"}, "randsample": {},
	} {
		id := ask[string](p, "index.runs.find((r) => r.method === '"+method+"').id")
		p.visit("/run/" + id)
		parts = append(parts, "Evaluations", "Operators", "Before and after the best program")
		for _, part := range parts {
			if !ask[bool](p, `[...document.querySelectorAll("section")].some((s) =>
				s.querySelector("h2")?.textContent.startsWith("`+part+
				`") && s.querySelector("table tbody tr, pre"))`) {
				t.Errorf("%s: no %s", method, part)
			}
		}
		if ask[bool](p, `!document.querySelector("#by-generation")`) {
			continue
		}
		generations++
		// Every generation has the programs from the end of the previous one up to its own end.
		if bad := ask[[]string](p, `(() => {
			const select = document.querySelector("#by-generation"), bad = [];
			let sum = 0, last = 0;
			for (const { value } of [...select.options].slice(1)) {
				select.value = value;
				select.dispatchEvent(new Event("change"));
				const numbers = current.matches.map((p) => p.evaluation);
				if (numbers.some((n) => n <= last)) bad.push(value + ": " + numbers);
				last = numbers.at(-1);
				sum += numbers.length;
			}
			return sum === current.d.programs.length ? bad : [...bad, "all: " + sum];
		})()`); len(bad) > 0 {
			t.Errorf("%s: %q", method, bad)
		}
	}
	if generations < 4 {
		t.Errorf("%d methods have generations", generations)
	}
	// The posteriors after another evaluation.
	p.visit("/run/" + ask[string](p, "index.runs.find((r) => r.method === 'pace').id"))
	density := `echarts.getInstanceByDom(` +
		`document.querySelector('[aria-label^="Posterior densities"]')).getOption()`
	last := ask[string](p, "JSON.stringify("+density+".series.map((s) => s.data))")
	ask[any](p, "document.querySelector('#until').value = 40")
	ask[any](p, "document.querySelector('#until').dispatchEvent(new Event('input'))")
	p.until("document.querySelector('#when').textContent === '40' && " +
		"document.querySelector('[aria-label$=\"after evaluation 40\"] canvas')")
	then := ask[string](p, "JSON.stringify("+density+".series.map((s) => s.data))")
	if then == last || then == "[]" {
		t.Error("the posteriors do not move")
	}
	p.quiet(server.URL)
}

// TestScreenshots writes the pictures of docs with -update, from the recorded runs or from the
// results in PACEBENCH_RESULTS.
func TestScreenshots(t *testing.T) {
	if !*golden.Update {
		t.Skip("go test ./report/view -run Screenshots -update " +
			"writes pictures of the pages in docs/images")
	}
	b := launch(t)
	server := httptest.NewServer(recorded(t).Handler())
	t.Cleanup(server.Close)
	p := b.open(t, server.URL, 1200, 1000)
	p.until("typeof index === 'object' && !index.waiting && document.querySelector('main table')")
	pace := ask[[]string](p, `(() => {
		const r = index.runs.find((r) => r.method === "pace" && r.best_at);
		const eoh = index.runs.find((r) => r.method === "eoh" && r.best_at);
		return ["#/run/" + r.id, "/" + r.best_at, "#/compare/" + r.id + "/" + eoh.id];
	})()`)
	for _, shot := range []struct{ name, hash, from string }{
		{"view-runs", "#/", "main"},
		{"view-compare", pace[2], ".title"},
		{"view-run", pace[0] + pace[1], "[aria-label^=Every]"},
		{"view-eaps", pace[0], "[aria-label^=Posterior]"},
	} {
		ask[any](p, "location.hash = '"+shot.hash+"'")
		p.until("document.querySelector('" + shot.from + "')" +
			"?.closest('section, main')?.querySelector('canvas')")
		ask[any](p, "document.querySelector('"+shot.from+"')"+
			".closest('section, main').scrollIntoView()")
		time.Sleep(500 * time.Millisecond) // charts are drawn
		picture := run(p, chromedp.CaptureScreenshot())
		img, err := png.Decode(bytes.NewReader(picture))
		must.Do(t, err)
		shown := image.NewRGBA(img.Bounds())
		draw.Draw(shown, shown.Rect, img, image.Point{}, draw.Src)
		var few, small bytes.Buffer
		must.Do(t, film.GIF(&few, []*image.RGBA{shown}, 0))
		img, err = gif.Decode(&few) // in 255 colours
		must.Do(t, err)
		e := png.Encoder{CompressionLevel: png.BestCompression}
		must.Do(t, e.Encode(&small, img))
		if small.Len() > 150_000 {
			t.Errorf("%s has %d bytes", shot.name, small.Len())
		}
		must.Write(t, "../../docs/images/"+shot.name+".png", small.Bytes())
	}
	p.quiet(server.URL)
}
