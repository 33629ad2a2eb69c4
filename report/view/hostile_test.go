package view

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/resultstest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// hostile is text that would run, load or hide something if it were ever used as markup, code or a
// link.
var hostile = strings.Join([]string{
	`<script>window.owned=1</script>`, `</script><script>window.owned=2</script>`,
	`<img src=x onerror="window.owned=3">`, `<svg/onload=window.owned=4>`,
	`"><iframe src="https://evil.example/"></iframe>`, `' onfocus='window.owned=5' autofocus='`,
	`<a href="javascript:window.owned=6">x</a>`, `[x](javascript:window.owned=7)`,
	`javascript:window.owned=8`,
	`<link rel=stylesheet href=https://evil.example/x.css>`,
	`<meta http-equiv=refresh content=0;url=https://evil.example/>`,
	`<style>@import url(https://evil.example/x.css)</style>`, `url(https://evil.example/x.png)`,
	"\u2028window.owned=9//\u2029",
	"${window.owned=10}", "{{constructor.constructor('window.owned=11')()}}", "{a|b}{b}",
	"__proto__", "\u202e)eurt(yned\u202c", "\x1b[31m", "&lt;b&gt;",
}, " ")

// attack puts hostile text wherever a step has text that a model, a program or a method made.
func attack(s *record.Step) {
	crossed(s)
	for i := range s.Requests {
		q := &s.Requests[i]
		q.Request.System, q.Request.User = hostile, llm.Text(hostile)
		q.Reply = llm.Reply{
			Text:  "{" + hostile + "}\ndef f():\n  pass\n" + hostile,
			Model: hostile, Finish: hostile, Usage: q.Reply.Usage,
		}
		if s.Number == 30 {
			q.Reply.Text += strings.Repeat("<script>window.owned=12</script>", 5<<20/32)
		}
	}
	var plan note.Offspring
	if json.Unmarshal(s.Notes[0].Value, &plan) == nil && s.Number%2 == 1 {
		plan.Operator = hostile
		s.Notes[0].Value = text(plan)
	}
	a := note.Attempt{Attempt: 1, Refused: hostile}
	s.Notes = append(s.Notes, record.Note{Kind: hostile, Value: text(hostile)},
		record.Note{Kind: a.Kind(), Value: text(a)})
	for i := range s.Evaluations {
		e := &s.Evaluations[i]
		e.Source = "# " + strings.Join(strings.Fields(hostile), "\n") + "\n" + hostile
		if s.Number == 31 {
			e.Source += strings.Repeat("x", 1<<20)
		}
		if e.Fault != nil {
			e.Fault = &record.Fault{Kind: record.FaultKind(hostile), Detail: hostile}
		}
	}
}

// TestChromiumHostile: text of models and programs is shown as text. None of it runs or sends a
// request, and the policy has nothing to block.
func TestChromiumHostile(t *testing.T) {
	long(t)
	root := t.TempDir()
	for i, method := range []string{"pace", "hsevo"} {
		dir := resultstest.Run{
			Task: "tsp-construct", Method: method, Seed: uint64(i), Budget: 60, Evaluations: 60,
			Start: 12, Floor: 6.4, Edit: attack,
			Change: func(h *record.Header) {
				h.Variant, h.Models = hostile, map[string]string{"": hostile}
			},
		}.Write(t, root)
		// The names of EAPs, and notes between steps of every kind that the pages know.
		path := filepath.Join(dir, "journal.jsonl")
		data := must.Read(t, path)
		named := `"name":` + string(text(hostile))
		journal := strings.ReplaceAll(string(data), `"name":"density"`, named)
		for kind, value := range map[string]any{
			"node": map[string]any{
				"program": 3, "operator": hostile, "parent": 1, "depth": hostile,
			},
			"harmony": map[string]any{
				"target": 3, "lost": hostile, "parameters": []any{map[string]any{"name": hostile}},
			},
			"population": map[string]any{"generation": hostile, "members": []any{1, hostile}},
			hostile:      hostile,
		} {
			r := record.Line{Note: &record.Note{Kind: kind, Value: text(value)}}
			journal += string(text(r)) + "\n"
		}
		must.Write(t, path, journal)
		must.Do(t, os.Remove(filepath.Join(dir, "result.json")))
	}
	site := &Site{Dirs: []string{root}, Tasks: tasks}
	both(t, site, func(t *testing.T, b *browser, address string, own []string) {
		p := b.open(t, address, 1280, 800)
		// harmless checks the page as it is now.
		harmless := func(where string) {
			t.Helper()
			if bad := ask[[]string](p, `[
				...(window.owned === undefined ? [] : ["owned " + window.owned]),
				...[...document.querySelectorAll("iframe, object, embed, base, `+
				`main script, main style, main link, main svg, main meta")].map((e) => e.tagName),
				...[...document.querySelectorAll("*")].flatMap((e) => [...e.attributes]`+
				`.filter((a) => a.name.startsWith("on") ||
					(a.name === "href" && e.closest("body") && !a.value.startsWith("#")))`+
				`.map((a) => a.name + "=" + a.value)),
				...(["http://127", "file:"].some((s) => location.href.startsWith(s)) `+
				`? [] : [location.href])]`); len(bad) > 0 {
				t.Fatalf("%s: %q", where, bad)
			}
		}
		shown := "document.querySelector('main').textContent" +
			".includes('<script>window.owned=1</script>')"
		p.until("document.querySelector('main table:not(.heat)')?.tBodies[0].rows.length === 2" +
			" && " + shown)
		harmless("the list")
		for _, id := range ask[[]string](p, "index.runs.map((r) => r.id)") {
			ask[any](p, "location.hash = '#/run/"+id+"/30'")
			p.until("current?.r.id === '" + id + "' && document.querySelector('#heading') && " +
				shown)
			for e := 27; e <= 32; e++ {
				ask[any](p, fmt.Sprintf("location.hash = '#/run/%s/%d'", id, e))
				p.until(fmt.Sprintf("document.querySelector('#heading')"+
					"?.textContent.startsWith('Evaluation %d')", e))
				ask[any](p, "document.querySelectorAll('details')"+
					".forEach((d) => { d.open = true; })")
				p.until("[...document.querySelectorAll('details')]" +
					".every((d) => d.open && d.children.length > 1)")
				harmless("a program")
			}
			// Every chart shows its tooltips.
			ask[any](p, `charts.forEach(({ box }) => {
				const c = echarts.getInstanceByDom(box);
				c.getOption().series.forEach((s, i) => `+
				`c.dispatchAction({ type: "showTip", seriesIndex: i, dataIndex: 0 }));
			})`)
			harmless("tips")
			if hidden := ask[bool](p, `/[\u202a-\u202e]/.test(document.body.textContent)`); hidden {
				t.Error("text is turned around")
			}
		}
		ask[any](p, "location.hash = '#/compare/' + index.runs.map((r) => r.id).join('/')")
		p.until("[...document.querySelectorAll('h2')]" +
			".some((h) => h.textContent === 'Best programs')")
		harmless("two runs")
		for _, hash := range []string{
			"#/run/<img src=x onerror=window.owned=20>", "#/run/%", "#/<script>",
			"#/run/__proto__/1", "#javascript:1", "#/compare/__proto__/<img src=x>",
		} {
			ask[any](p, "location.hash = "+string(text(hash)))
			p.until("document.querySelector('main').children.length > 0")
			harmless(hash)
		}
		p.quiet(own...)
	})
}
