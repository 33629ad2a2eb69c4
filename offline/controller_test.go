package offline

import (
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/offline/pytext"
	"github.com/pacebench/pacebench/tasks"
)

// controllers are the tasks whose programs have several outputs.
func controllers(t *testing.T) []*bench.Task {
	t.Helper()
	list := slices.DeleteFunc(tasks.All(), func(task *bench.Task) bool {
		return task.Vocabulary == nil || len(task.Vocabulary.Outputs) < 2
	})
	if len(list) < 2 {
		t.Fatalf("%d tasks with several outputs, want Racing Car and Bipedal Walker", len(list))
	}
	return list
}

func asks(task *bench.Task) string {
	doc := pytext.Indent("\"\"\"" + task.Template.Doc + "\n\"\"\"")
	return blocks(task.Description,
		"The Python function to design:\n\n"+task.Template.Header()+"\n"+doc, closingProgram)
}

// A workshop builds plain controllers with one added phrase.
type workshop struct {
	*writer
	imports string
}

func newWorkshop(task *bench.Task) workshop {
	w := &writer{
		prompt: read(asks(task)), r: rand.New(rand.NewPCG(3, 4)), rates: Perfect(), heat: 1,
	}
	w.v = know(task)
	return workshop{w, strings.Join(task.Imports, "\n") + "\n\n"}
}

// with returns a plain controller after an edit, with helper functions above it.
func (w workshop) with(edit func(*draft), helpers ...pytext.Function) string {
	d := w.newDraft()
	for i, o := range w.v.Outputs {
		d.outputs = append(d.outputs, o.Name)
		d.insert(len(d.body), o.Name+" = 0.0")
		d.setParts(i, pytext.Split(d.bring(o.Main[0].Code), o.Product))
	}
	d.close(w.v.Closings[0].Code)
	edit(d)
	text := w.imports
	for _, h := range helpers {
		text += h.String() + "\n\n"
	}
	return text + w.prompt.target.Header + "\n" + d.text()
}

// adjust adds a statement after the outputs.
func (d *draft) adjust(p bench.Phrase) {
	code := d.bring(p.Code)
	d.insert(d.tail(), code)
}

// TestEveryPhraseOfControllersRuns calls a program with each phrase on artificial pictures and
// states: each returns one finite number for each actuator, or fails as it says. The quick tier
// calls every third.
func TestEveryPhraseOfControllersRuns(t *testing.T) {
	e := NewEvaluator(t)
	for _, task := range controllers(t) {
		w := newWorkshop(task)
		calls := 0
		check := func(what, fault, code string) {
			t.Helper()
			if calls++; calls%3 > 0 && os.Getenv("PACEBENCH_LONG") == "" {
				return
			}
			v := e.score(code)
			if !strings.HasPrefix(v.Fault, fault) || fault == "" && v.Fault != "" {
				t.Errorf("%s: %s: fault %q, want %q in\n%s", task.Name, what, v.Fault, fault, code)
			}
		}
		for i, o := range w.v.Outputs {
			for _, p := range slices.Concat(o.Main, o.Terms) {
				expr := strings.TrimPrefix(p.Code, "±")
				check(o.Name, "", w.with(func(d *draft) {
					d.setParts(i, pytext.Split(d.bring(expr), o.Product))
				}))
			}
			for range 2 * (len(o.Forms) + len(o.Weights)) {
				check(o.Name, "", w.with(func(d *draft) { d.addTerm(i, nil) }))
			}
		}
		for _, p := range w.v.Shifts {
			check("Shifts", "", w.with(func(d *draft) { d.adjust(p) }))
		}
		for _, p := range w.v.Closings {
			check("Closings", "", w.with(func(d *draft) { d.close(p.Code) }))
		}
		helpers, _ := pytext.Functions(fill(w.r, w.v.Helpers))
		for _, s := range w.v.Shapes {
			for _, p := range s.Exprs {
				d := w.newDraft()
				helpers = append(helpers, w.finish(d, d.bring(p.Code), p.Says, s))
			}
		}
		for range 20 {
			helpers = append(helpers, w.invent())
		}
		for _, h := range helpers {
			for range 3 { // different edits, so that the result enters an output in different ways
				check(h.Name, "", w.with(func(d *draft) { d.use(h, w.prompt.target) }, h))
			}
			check(h.Name+" taken out", "", w.with(func(d *draft) {
				d.use(h, w.prompt.target)
				d.drop(h)
			}))
		}
		for fault, list := range map[string][]bench.Phrase{"raised": w.v.Raises, "": w.v.Slow} {
			for _, p := range list {
				check("faults", fault, w.with(func(d *draft) { d.adjust(p) }))
			}
		}
		for _, p := range w.v.Invalid {
			check("Invalid", "invalid", w.with(func(d *draft) { d.close(p.Code) }))
		}
	}
}
