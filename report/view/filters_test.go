package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record/results"
)

// studied returns a run of the study: its entry in the index, and the data of its page.
func studied(t *testing.T, s *Site, method string, seed uint64) (runJSON, *detail) {
	t.Helper()
	x, runs, err := s.read(&results.Reader{})
	must.Do(t, err)
	at := slices.IndexFunc(x.Runs, func(r runJSON) bool {
		return r.Method == method && r.Seed == seed
	})
	d, err := s.detail(runs[at])
	must.Do(t, err)
	return x.Runs[at], d
}

// TestChromiumFilters: the chart, the tree and the table show the programs that the filters and the
// search select, and an operator looks the same in all charts.
func TestChromiumFilters(t *testing.T) {
	long(t)
	s, _ := study(t)
	r, d := studied(t, s, "eoh", 1)
	count := func(keep func(p *results.Program) bool) (n int) {
		for _, p := range d.Programs {
			if keep(p) {
				n++
			}
		}
		return n
	}
	failed := func(p *results.Program) bool { return p.Fault != nil }
	e2 := func(p *results.Program) bool { return p.Operator == "e2" }
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address+"#/run/"+r.ID, 1280, 900)
		option := func(label string) string {
			return `[...document.querySelectorAll('[aria-label^="` + label +
				`"]')].map((box) => echarts.getInstanceByDom(box))[0]?.getOption()`
		}
		dots := func(label string) string {
			return option(label) + "?.series.filter((s) => s.type === 'scatter')" +
				".flatMap((s) => s.data)"
		}
		// leaves waits until n programs are left.
		leaves := func(n int) {
			t.Helper()
			p.until(fmt.Sprintf("%s?.length === %d", dots("Every evaluation"), n))
			p.until(fmt.Sprintf("%s?.series.filter((s) => s.itemStyle?.opacity === 1)"+
				".flatMap((s) => s.data).length === %d", option("The tree"), n))
			p.until(fmt.Sprintf(`(document.querySelector("[data-fold=evaluations]").open = true) &&
				document.querySelector("[data-fold=evaluations] tbody")?.rows.length === %d`, n))
		}
		choose := func(filter, value string) {
			ask[any](p, fmt.Sprintf(`(() => {
				const s = document.querySelector("#by-%s");
				s.value = %q;
				s.dispatchEvent(new Event("change"));
			})()`, filter, value))
		}
		leaves(60)
		look := func(label string) string {
			return ask[string](p, "JSON.stringify("+option(label)+
				".series.filter((s) => s.name === 'e2').slice(0, 1)"+
				".map((s) => [s.color, s.symbol]))")
		}
		if a := look("Every evaluation"); a == "[]" || a != look("The tree") ||
			a != look("Share of children") {
			t.Errorf("e2 is %s, %s and %s", a, look("The tree"), look("Share of children"))
		}
		choose("operator", "e2")
		leaves(count(e2))
		choose("fault", "+")
		leaves(count(func(p *results.Program) bool { return e2(p) && failed(p) }))
		choose("fault", "-")
		leaves(count(func(p *results.Program) bool { return e2(p) && !failed(p) }))
		choose("fault", "")
		choose("operator", "")
		leaves(60)
		p.do(chromedp.Focus("#search"))
		p.press(strings.Split("IDEA OF STEP 30.", "")...)
		leaves(count(func(p *results.Program) bool { return p.Step == 30 }))
		p.until(`document.querySelector("[data-fold=evaluations] tbody").textContent` +
			`.includes("idea: …Idea of step 30.")`)
		choose("where", "code")
		leaves(0)
		p.do(chromedp.Focus("#search"))
		p.press(slices.Repeat([]string{kb.Backspace}, 16)...)
		p.press(strings.Split("def select", "")...)
		leaves(count(func(p *results.Program) bool {
			return strings.Contains(p.Source, "def select")
		}))
		p.quiet(own...)
	})
}
