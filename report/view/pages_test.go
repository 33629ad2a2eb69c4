package view

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
	"github.com/pacebench/pacebench/record/results"
)

// study writes six runs of two methods. Programs have ideas; programs of e2 have two parents and
// two requests.
func study(t *testing.T) (s *Site, root string) {
	t.Helper()
	root = t.TempDir()
	for i, method := range []string{"eoh", "pace"} {
		for seed := range uint64(3) {
			resultstest.Run{
				Task: "tsp-construct", Method: method, Models: resultstest.Offline,
				Seed: seed + 1, Budget: 60,
				Evaluations: 60, Start: 12, Floor: 6.4 - 0.15*float64(i), Edit: crossed,
				Tests: resultstest.TSPTests(6.5, 12.5, 19.5, 27),
			}.Write(t, root)
		}
	}
	return &Site{Dirs: []string{root}, Tasks: tasks}, root
}

var tasks = []*bench.Task{{
	Problem: bench.Problem{Name: "tsp-construct", Goal: bench.Minimize},
	Label:   bench.TaskLabel{Title: "TSP-Construct", Unit: "tour length", Digits: 3},
}}

// crossed adds an idea to a step of a run, and to a step of e2 a second parent and a repair.
func crossed(s *record.Step) {
	last := &s.Requests[len(s.Requests)-1]
	last.Reply.Text = fmt.Sprintf("{Idea of step %d.}\n```python\npass\n```", s.Number)
	var plan note.Offspring
	if json.Unmarshal(s.Notes[0].Value, &plan) != nil || plan.Operator != "e2" ||
		len(plan.Parents) == 0 {
		return
	}
	if plan.Parents[0] > 1 {
		plan.Parents = append(plan.Parents, 1)
	}
	first := *last
	first.Reply.Text = "no program at all"
	s.Requests = append([]record.Request{first}, s.Requests...)
	s.Notes = []record.Note{{Kind: plan.Kind(), Value: text(plan)}}
	for i, reason := range []string{"no code block", ""} {
		a := note.Attempt{Attempt: i + 1, Refused: reason}
		s.Notes = append(s.Notes, record.Note{Kind: a.Kind(), Value: text(a)})
	}
}

func text(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return data
}

// TestSmoke: the pages work in a browser: the list, a run by its link, a program by its number.
func TestSmoke(t *testing.T) {
	b, s := launch(t), site(t)
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	p := b.open(t, server.URL, 1280, 800)
	p.click("main td a", "pace")
	p.until("document.querySelector('[role=img] canvas')")
	p.do(chromedp.Focus("#at"))
	p.press("7", kb.Enter)
	p.until("document.querySelector('#heading')?.textContent.startsWith('Evaluation 7')")
	p.quiet(server.URL)
}

// rows returns the texts of a column of the first table. Columns count from 0.
func rows(p *tab, column int) []string {
	return ask[[]string](p, fmt.Sprintf("[...document.querySelectorAll('main table:not(.heat)')[0]"+
		".tBodies[0].rows].map((r) => r.cells[%d].textContent)", column))
}

func TestChromiumIndex(t *testing.T) {
	long(t)
	s, _ := study(t)
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address, 1280, 800)
		head := func(title string) string {
			return fmt.Sprintf("[...document.querySelectorAll('th')]"+
				".find((h) => h.textContent.startsWith(%q))", title)
		}
		p.until(head("Best"))
		// Each group of runs has a mean and a band.
		p.until(`echarts.getInstanceByDom(document.querySelector('[aria-label^="Best so far"]'))` +
			`?.getOption().series.map((s) => s.type).join() === "line,custom,line,custom"`)
		if !strings.Contains(p.text(), "Dashed: template 6.824.") {
			t.Error("the curves have no line for the template's value")
		}
		const best = 7 // the column Best
		for _, order := range []string{"ascending", "descending"} {
			p.click("th button", "Best")
			p.until(head("Best") + ".getAttribute('aria-sort') === '" + order + "'")
			if got := rows(p, best); len(got) != 6 ||
				slices.IsSorted(got) != (order == "ascending") {
				t.Errorf("%s: %v", order, got)
			}
		}
		p.do(chromedp.Focus("#search"))
		p.press(strings.Split("pace/offline/2", "")...)
		p.until("document.querySelector('table:not(.heat) caption').textContent === '1 run'")
		p.press(strings.Repeat(kb.Backspace, 2))
		p.until("document.querySelector('table:not(.heat) caption').textContent === '3 runs'")
		p.press(strings.Repeat(kb.Backspace, 12))
		p.until("document.querySelector('table:not(.heat) caption').textContent === '6 runs'")
		p.do(chromedp.Focus(chromedp.CSSAll("select")))
		p.press(kb.Tab, kb.ArrowDown)
		for i := range 2 {
			p.click(fmt.Sprintf("tbody tr:nth-child(%d) input[type=checkbox]", i+1), "")
		}
		p.until(`echarts.getInstanceByDom(document.querySelector('[aria-label^="Best so far"]'))` +
			`?.getOption().series.length === 2`)
		p.quiet(own...)
	})
}

func TestChromiumRunPage(t *testing.T) {
	long(t)
	s, _ := study(t)
	x, runs, err := s.read(&results.Reader{})
	must.Do(t, err)
	at := slices.IndexFunc(x.Runs, func(r runJSON) bool { return r.Method == "eoh" })
	resultstest.Explain(t, runs[at])
	d, err := s.detail(runs[at])
	must.Do(t, err)
	child := slices.IndexFunc(d.Programs, func(p *results.Program) bool {
		return len(p.Parents) == 2 && p.Fault == nil
	})
	if child < 0 {
		t.Fatal("no program with two parents")
	}
	c := d.Programs[child]
	heading := func(evaluation int) string {
		return fmt.Sprintf("document.querySelector('#heading')"+
			"?.textContent.split(' · ')[0] === 'Evaluation %d'", evaluation)
	}
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address+"#/run/"+x.Runs[at].ID, 1280, 900)
		p.until("document.querySelector('[role=img] canvas')")

		// The best program has a margin, whose parts are named.
		p.click("main summary", "Program")
		p.until(`[...document.querySelectorAll(".margined > pre:first-child span")]` +
			`.map((e) => e.className + " " + e.title + " " + e.textContent).join() === ` +
			`"good term: a 1.0100,c term: return c needed to run"`)

		// The best program comes first, with its test values and a download.
		const first = "Unit,Better,Training,test50,test200,test500,test1000"
		if got := ask[string](p, `[...document.querySelector("main dl").querySelectorAll("dt")]`+
			`.map((e) => e.textContent).join()`); got != first {
			t.Errorf("the page begins with %s, want %s", got, first)
		}
		if got := ask[string](p, `(() => {
			const make = URL.createObjectURL;
			let blob;
			URL.createObjectURL = (b) => make.call(URL, blob = b);
			[...document.querySelectorAll("main button")]
				.find((b) => b.textContent === "Download best.py").click();
			return blob.text();
		})()`); got != d.Program(x.Runs[at].BestAt).Source {
			t.Errorf("the download is %q", got)
		}

		// A click on a point, which is in the series of its operator.
		ops := ask[[]string](p, `echarts.getInstanceByDom(`+
			`document.querySelector('[role=img]')).getOption().legend[0].data`)
		p.clickChart("Every evaluation", slices.Index(ops, "e2"), float64(c.Evaluation), *c.Value)
		p.until(heading(c.Evaluation))
		if focus := ask[string](p, "document.activeElement.id"); focus != "heading" {
			t.Errorf("the focus is on %q", focus)
		}
		for _, want := range []string{
			fmt.Sprintf("Idea of step %d", c.Step), "reply 1: no code block",
			"def select_next_node", "Instances",
		} {
			if !strings.Contains(p.text(), want) {
				t.Errorf("the page of a program lacks %q", want)
			}
		}

		// What changed from either parent.
		for _, parent := range c.Parents {
			name := fmt.Sprintf("Changes from %d", parent)
			if !ask[bool](p, fmt.Sprintf(
				`[...document.querySelectorAll("#program details")].find((d) =>
				d.querySelector("summary").textContent === %q).open`, name)) {
				p.click("#program summary", name)
			}
			source := d.Program(parent).Source
			first := func(s string) string { return strings.SplitN(s, "\n", 2)[0] }
			p.until(fmt.Sprintf(
				`[...document.querySelectorAll("#program details[open]")].some((d) =>
				d.querySelector("summary").textContent === %q &&
				d.querySelector(".removed")?.textContent === %q &&
				d.querySelector(".added")?.textContent === %q)`,
				name, "-"+first(source), "+"+first(c.Source)))
		}
		// The prompt and the reply.
		p.click("#program summary", "Request 2: algorithm/e2")
		p.until(`[...document.querySelectorAll("#program details[open] pre")]` +
			`.some((e) => e.innerText.startsWith("Implement"))`)

		// The lineage: to a parent by its point, back by the history, and to the parent by its
		// link.
		parent := d.Program(c.Parents[0])
		p.clickChart("Lineage", 0, float64(parent.Evaluation), *parent.Value)
		p.until(heading(parent.Evaluation))
		ask[any](p, "history.back()")
		p.until(heading(c.Evaluation))
		p.click("#program dd a", fmt.Sprint(parent.Evaluation))
		p.until(heading(parent.Evaluation))
		for _, e := range d.Ancestors(parent.Evaluation)[1:] {
			p.click("#program dd a", fmt.Sprint(e))
			p.until(heading(e))
		}

		// To the next and the previous program, and to one by its number.
		p.press(kb.ArrowRight)
		end := d.Ancestors(parent.Evaluation)
		last := end[len(end)-1]
		p.until(heading(last + 1))
		p.press("j")
		p.until(heading(last + 2))
		p.press("k", kb.ArrowLeft)
		p.until(heading(last))
		p.do(chromedp.Focus("#at"))
		p.press("3", "3", kb.ArrowLeft, kb.Enter) // in a field, arrows move the cursor
		p.until(heading(33))
		p.quiet(own...)

		// A link to a program shows it at the top of the window, whatever is above it, and so does
		// a step to the next one.
		p = b.open(t, address+"#/run/"+x.Runs[at].ID+"/33", 1280, 700)
		for _, evaluation := range []int{33, 34} {
			p.until(heading(evaluation))
			p.until("Math.abs(document.querySelector('#heading')" +
				".getBoundingClientRect().top) < 100")
			p.press("j")
		}
		p.quiet(own...)
	})
}

// TestChromiumGrowth: the pages follow a run that grows, and a run that begins.
func TestChromiumGrowth(t *testing.T) {
	long(t)
	_, full := study(t)
	root := t.TempDir()
	runs, err := filepath.Glob(filepath.Join(full, "tsp-construct/*/*/1"))
	if err != nil || len(runs) != 2 {
		t.Fatal(runs, err)
	}
	// grow writes a share of the lines of a run's journal. With all lines it also writes the
	// result, which finishes the run.
	grow := func(dir string, share float64) {
		t.Helper()
		path, err := filepath.Rel(full, dir)
		must.Do(t, err)
		data := must.Read(t, filepath.Join(dir, "journal.jsonl"))
		lines := strings.SplitAfter(string(data), "\n")
		lines = lines[:int(math.Ceil(share*float64(len(lines))))]
		must.Write(t, filepath.Join(root, path, "journal.jsonl"), strings.Join(lines, ""))
		if share == 1 {
			result := must.Read(t, filepath.Join(dir, "result.json"))
			must.Write(t, filepath.Join(root, path, "result.json"), result)
		}
	}
	grow(runs[0], 0.2)
	whole := *tasks[0]
	whole.Label.Digits = 0 // a task may have values without decimal places
	s := &Site{Dirs: []string{root}, Tasks: []*bench.Task{&whole}}
	server := httptest.NewServer(s.Handler())
	t.Cleanup(server.Close)
	b := launch(t)
	list := b.open(t, server.URL, 1280, 800)
	list.until("document.querySelector('main table:not(.heat)')?.tBodies[0].rows.length === 1")
	list.until("document.querySelector('#live').textContent.startsWith('1 unfinished')")
	run := b.open(t, server.URL, 1280, 800)
	run.click("main td a", "eoh")
	count := `Number([...document.querySelectorAll("dt")]` +
		`.find((e) => e.textContent === "Evaluations")` +
		`?.nextSibling.textContent.split(" ")[0] ?? 0)`
	run.until(count + " > 0")
	before := ask[float64](run, count)
	grow(runs[0], 0.5)
	run.until(fmt.Sprintf("%s > %g", count, before))
	run.until(`echarts.getInstanceByDom(document.querySelector('[role=img]'))` +
		`?.getOption().series.flatMap((s) => s.data)
		.filter((x) => x.length === 3).length === ` + count)
	list.until(fmt.Sprintf("Number(document.querySelector('main table:not(.heat)')"+
		".tBodies[0].rows[0].cells[6].textContent.split(' ')[0]) > %g", before))
	grow(runs[1], 0.3)
	list.until("document.querySelector('main table:not(.heat)').tBodies[0].rows.length === 2")
	grow(runs[0], 1)
	grow(runs[1], 1)
	list.until("[...document.querySelector('main table:not(.heat)').tBodies[0].rows]" +
		".every((r) => r.cells[5].textContent === 'finished')")
	run.until(count + " === 60")
	run.until("!document.querySelector('#live').textContent")
	list.quiet(server.URL)
	run.quiet(server.URL)
	server.Close()
	list.until("document.querySelector('#live').textContent === 'the server does not answer'")
}
