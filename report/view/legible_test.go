package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record/results"
)

// scheme shows a page in light or dark colours, on the screen or as printed.
func (p *tab) scheme(media, colours string) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media:    media,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: colours}},
	})
	must.Do(p.t, err)
}

// pages returns the addresses of each kind of page, after the '#'.
func pages(t *testing.T, s *Site) map[string]string {
	t.Helper()
	x, _, err := s.read(&results.Reader{})
	must.Do(t, err)
	out := map[string]string{"list": "/"}
	for _, r := range x.Runs {
		if r.Seed == 1 {
			out[r.Method] = "/run/" + r.ID
			out[r.Method+" with a program"] = fmt.Sprintf("/run/%s/%d", r.ID, r.BestAt)
			out["two runs"] = fmt.Sprintf("/compare/%s/%s", x.Runs[0].ID, r.ID)
		}
	}
	return out
}

// visit shows a page and opens everything that can be folded.
func (p *tab) visit(hash string) {
	p.t.Helper()
	ask[any](p, "location.hash = '#"+hash+"'")
	p.until("document.querySelector('main table')")
	if strings.HasPrefix(hash, "/compare/") {
		p.until("[...document.querySelectorAll('h2')]" +
			".some((h) => h.textContent === 'Best programs')")
	} else if strings.Count(hash, "/") > 1 {
		p.until("current?.r.id === '" + strings.Split(hash, "/")[2] + "'")
	}
	ask[any](p, "document.querySelectorAll('details').forEach((d) => { d.open = true; })")
	p.until("[...document.querySelectorAll('details')].every((d) => d.children.length > 1)")
}

// poor lists the texts whose contrast with their background is below level AA of WCAG 2.2.
const poor = `(() => {
	const channel = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	const parse = (s) => s.match(/[\d.]+/g).map(Number);
	const light = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
	const out = new Set();
	const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	for (let n; (n = walk.nextNode());) {
		const e = n.parentElement;
		if (!n.data.trim() || !e.checkVisibility() || !e.getClientRects().length) continue;
		let back = e;
		while (back && (parse(getComputedStyle(back).backgroundColor)[3] ?? 1) === 0) ` +
	`back = back.parentElement;
		const style = getComputedStyle(e), size = parseFloat(style.fontSize);
		const a = light(parse(style.color)), b = light(back ? ` +
	`parse(getComputedStyle(back).backgroundColor) : [255, 255, 255]);
		const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		const need = size >= 24 || (size >= 18.66 && style.fontWeight >= 700) ? 3 : 4.5;
		if (ratio < need) out.add(ratio.toFixed(2) + " " + ` +
	`e.tagName + "." + e.className + ": " + n.data.trim().slice(0, 40));
	}
	return [...out];
})()`

// TestChromiumAccessible: every text of every page, light and dark, has enough contrast with its
// background, and nothing is wider than a phone. Screen readers find names, roles and headings, and
// the Tab key reaches visible stops.
func TestChromiumAccessible(t *testing.T) {
	long(t)
	s, _ := study(t)
	both(t, s, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address, 390, 844)
		for name, hash := range pages(t, s) {
			p.visit(hash)
			for _, look := range [][2]string{
				{"print", "dark"}, {"screen", "dark"}, {"screen", "light"},
			} {
				p.scheme(look[0], look[1])
				for _, text := range ask[[]string](p, poor) {
					t.Errorf("%s, %s: %s", name, look, text)
				}
			}
			if wide := ask[int](p, "document.documentElement.scrollWidth"); wide > 390 {
				t.Errorf("%s: %d pixels wide", name, wide)
			}
			tree, err := chromedp.Call(p.ctx, accessibility.GetFullAXTree,
				accessibility.GetFullAXTreeParams{})
			must.Do(t, err)
			roles := map[string]int{}
			for _, n := range tree.Nodes {
				if n.Ignored || n.Role == nil {
					continue
				}
				role, label := strings.Trim(string(n.Role.Value), `"`), ""
				if n.Name != nil {
					label = strings.Trim(string(n.Name.Value), `"`)
				}
				roles[role]++
				if label == "" && slices.Contains(named, role) {
					t.Errorf("%s: a %s has no name", name, role)
				}
			}
			for _, role := range []string{"banner", "main", "navigation", "status"} {
				if roles[role] != 1 {
					t.Errorf("%s: %d of the role %s", name, roles[role], role)
				}
			}
			for _, role := range []string{"heading", "table", "columnheader", "image"} {
				if roles[role] == 0 {
					t.Errorf("%s: nothing of the role %s", name, role)
				}
			}
			// Headings never skip a level, and every id is unique.
			levels := ask[[]int](p, "[...document.querySelectorAll('h1, h2, h3, h4')]"+
				".map((h) => Number(h.tagName[1]))")
			for i, level := range levels {
				if i == 0 && level != 1 || i > 0 && level > levels[i-1]+1 {
					t.Errorf("%s: levels of headings %v", name, levels)
					break
				}
			}
			if ids := ask[int](p, "document.querySelectorAll('[id]').length - "+
				"new Set([...document.querySelectorAll('[id]')].map((e) => e.id)).size"); ids > 0 {
				t.Errorf("%s: %d ids appear twice", name, ids)
			}
		}

		p.quiet(own...)

		// From the top of the page, the first stop of the Tab key skips the header, and every stop
		// is visible.
		p = b.open(t, address, 1280, 800)
		p.until("document.querySelector('main table')")
		p.press(kb.Tab)
		if id := ask[string](p, "document.activeElement.id"); id != "skip" {
			t.Errorf("the first stop is %q", id)
		}
		p.press(kb.Enter)
		p.until("document.activeElement.id === 'main'")
		stops := map[string]bool{}
		for range 12 {
			p.press(kb.Tab)
			stop := ask[[]string](p, `(() => {
				const e = document.activeElement, r = e.getBoundingClientRect(), `+
				`style = getComputedStyle(e);
				const seen = r.width > 0 && r.bottom > 0 && r.top < innerHeight && `+
				`e.matches(":focus-visible") && style.outlineStyle !== "none";
				return [e.tagName + " " + `+
				`(e.ariaLabel || e.id || e.textContent).slice(0, 40), String(seen)];
			})()`)
			if stops[stop[0]] = true; stop[1] != "true" {
				t.Errorf("the focus is not seen on %s", stop[0])
			}
		}
		if len(stops) < 10 {
			t.Errorf("the Tab key stops at %v only", stops)
		}
		p.quiet(own...)
	})
}

// named are the roles that mean nothing without a name.
var named = []string{
	"button", "link", "combobox", "searchbox", "spinbutton", "slider", "checkbox", "image",
	"region", "table", "navigation", "DisclosureTriangle",
}
