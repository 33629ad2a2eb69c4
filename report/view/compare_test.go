package view

import (
	"fmt"
	"strings"
	"testing"
)

// TestChromiumCompare: two runs that are chosen in the list are shown side by side, with what
// differs and with the difference of their best programs.
func TestChromiumCompare(t *testing.T) {
	long(t)
	s, _ := study(t)
	eoh, e := studied(t, s, "eoh", 1)
	pace, q := studied(t, s, "pace", 2)
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address, 1280, 800)
		for _, r := range []runJSON{eoh, pace} {
			p.click(fmt.Sprintf("[aria-label=%q]", "compare "+r.Dir), "")
		}
		p.click("main p a", "Compare eoh · offline, seed 1 and pace · offline, seed 2 side by side")
		p.until("document.querySelector('h2')?.textContent === " +
			"'eoh · offline, seed 1 and pace · offline, seed 2 on TSP-Construct'")
		row := func(name string) []string {
			return ask[[]string](p, fmt.Sprintf(`[...document.querySelectorAll("tr")]
				.filter((r) => r.cells[0].textContent === %q)
				.flatMap((r) => [...r.cells].slice(1).map((c) => c.textContent))`, name))
		}
		for name, want := range map[string]string{
			"Task": "TSP-Construct|TSP-Construct|", "Method": "eoh|pace|yes", "Seed": "1|2|yes",
			"Models": "offline|offline|", "Budget": "60|60|",
		} {
			if got := strings.Join(row(name), "|"); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
		p.until(`echarts.getInstanceByDom(document.querySelector('[aria-label^="Best so far"]'))` +
			`?.getOption().series.map((s) => s.name + s.color).join() === ` +
			`"eoh · offline, seed 1#0072b2,pace · offline, seed 2#d55e00"`)
		for _, part := range []string{"Operators", "EAPs", "Best programs"} {
			if !ask[bool](p, `[...document.querySelectorAll("h2")]`+
				`.some((h) => h.textContent === "`+part+`")`) {
				t.Errorf("no %s", part)
			}
		}
		// Added and kept lines make up the second program, removed and kept lines the first one.
		for class, d := range map[string]*detail{"removed": e, "added": q} {
			got := ask[[]string](p, `[...document.querySelectorAll("pre .`+class+`")]`+
				`.map((l) => l.textContent.slice(1))`)
			best := d.Program(d.Run.Best.Evaluation).Source
			if len(got) == 0 {
				t.Errorf("nothing is %s", class)
			}
			for _, line := range got {
				if !strings.Contains(best, line) {
					t.Errorf("%s: %q", class, line)
				}
			}
		}
		p.click("main a", fmt.Sprintf("evaluation %d of pace · offline, seed 2", pace.BestAt))
		p.until(fmt.Sprintf("document.querySelector('#heading')"+
			"?.textContent.startsWith('Evaluation %d')", pace.BestAt))
		ask[any](p, "location.hash = '#/compare/none/"+pace.ID+"'")
		p.until("document.querySelector('[role=alert]')?.textContent ===" +
			" 'These pages do not have the run none.'")
		p.quiet(own...)
	})
}
