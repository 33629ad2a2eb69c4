package llm

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

// named is a scripted model with another name.
type named struct {
	Model
	name string
}

func (n named) Name() string { return n.name }

// counting returns a model that never repeats an answer, like a live model, and the number of its
// answers.
func counting(name string) (Model, *atomic.Int64) {
	var n atomic.Int64
	return named{&Scripted{Answer: func(_ context.Context, r Request) (Reply, error) {
		return Reply{
			Text: fmt.Sprintf("%s %d", name, n.Add(1)), Model: name + "-1", Finish: "stop",
			Usage: Usage{Prompt: 10, Cached: 4, Completion: 20, Reasoning: 5},
		}, nil
	}}, name}, &n
}

func record(t *testing.T, m Model, dir string) *Recorder {
	t.Helper()
	c, err := Record(m, dir)
	must.Do(t, err)
	return c
}

func ask(t *testing.T, m Model, r Request) Reply {
	t.Helper()
	reply, err := m.Complete(t.Context(), r)
	must.Do(t, err)
	return reply
}

func prompts() []Request {
	image := &Image{MediaType: "image/png", Data: []byte("pixels")}
	return []Request{
		{Purpose: "algorithm/P1", User: Text("write"), Draw: 1},
		{Purpose: "algorithm/P1", User: Text("write"), Draw: 2},
		{Purpose: "algorithm/P1", User: Text("write"), Draw: 1, Temperature: 0.5},
		{Purpose: "algorithm/P1", User: Text("write"), Draw: 1, MaxTokens: 5},
		{Purpose: "algorithm/P2", User: Text("write"), Draw: 1},
		{Purpose: "algorithm/P1", User: Text("write"), System: "briefly", Draw: 1},
		{Purpose: "algorithm/P1", User: []Part{{Text: "write"}, {Image: image}}, Draw: 1},
		{Purpose: "algorithm/P1", User: Text("not \xff UTF-8, \ufffd"), Draw: 1},
		{Purpose: "algorithm/P1", Draw: 1},
	}
}

func TestReplayAnswersWhatWasRecorded(t *testing.T) {
	dir := t.TempDir()
	m, asked := counting("live")
	c := record(t, m, dir)
	beside := record(t, m, dir) // in another process
	var want []Reply
	for _, r := range prompts() {
		want = append(want, ask(t, c, r))
	}
	again := record(t, m, dir) // as if after a crash
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	for i, r := range prompts() {
		for _, m := range []Model{c, beside, again, p} {
			golden.Same(t, fmt.Sprintf("request %d of %T", i, m), want[i], ask(t, m, r))
		}
	}
	if n, name := int(asked.Load()), p.Name(); n != len(want) || len(p.replies) != n ||
		name != "live" {
		t.Errorf("asked %d times, %d recorded of %s; want %d", n, len(p.replies), name, len(want))
	}
	data := must.Read(t, filepath.Join(dir, cassetteFile))
	if bytes.Contains(data, []byte("pixels")) || bytes.Contains(data, []byte("cGl4ZWxz")) {
		t.Error("the cassette holds the bytes of an image")
	}
}

func TestReplaySaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	m, _ := counting("live")
	c := record(t, m, dir)
	const head, code = "Improve the function below.", "\ndef f(x):\n    return x + 1\n"
	long := Request{
		Purpose: "algorithm/P1", User: Text(head + "\n" + code), Draw: 7, Temperature: 1,
	}
	ask(t, c, long)
	ask(t, c, Request{Purpose: "eap/E1", User: Text("Help"), Draw: 8, Temperature: 1})
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	for want, change := range map[string]func(r *Request){
		"(algorithm/P1, draw 9): this request is not recorded: " +
			"the nearest request has draw 7, not 9": func(r *Request) { r.Draw = 9 },
		"has temperature 1, not 0.5": func(r *Request) { r.Temperature = 0.5 },
		"has max_tokens 0, not 9":    func(r *Request) { r.MaxTokens = 9 },
		`differs in line 5 of its prompt: recorded "    return x + 1", ` +
			`asked "    return x + 2"`: func(r *Request) {
			r.User = Text(head + "\n" + strings.Replace(code, "1", "2", 1))
		},
		"has purpose eap/E1, not reflection/short": func(r *Request) {
			r.Purpose, r.User, r.Draw = "reflection/short", Text("Help"), 8
		},
		"has the same text in different parts": func(r *Request) {
			r.User = []Part{{Text: head}, {Text: code}}
		},
	} {
		r := long
		change(&r)
		_, err := p.Complete(t.Context(), r)
		if !errors.Is(err, ErrNotRecorded) || !errors.Is(err, ErrFatal) ||
			!strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestTornLineIsCutOff(t *testing.T) {
	whole := t.TempDir()
	m, _ := counting("live")
	c := record(t, m, whole)
	for _, r := range prompts()[:3] {
		ask(t, c, r)
	}
	data := must.Read(t, filepath.Join(whole, cassetteFile))
	second := bytes.IndexByte(data, '\n') + 1
	third := second + bytes.IndexByte(data[second:], '\n') + 1
	for cut := second; cut < len(data); cut += 37 {
		dir := t.TempDir()
		path := filepath.Join(dir, cassetteFile)
		must.Write(t, path, data[:cut])
		complete := 1
		if cut >= third {
			complete = 2
		}
		p, err := OpenPlayer(dir)
		if err != nil || len(p.replies) != complete {
			t.Fatalf("cut at %d: %v, want %d exchanges", cut, err, complete)
		}
		live, asked := counting("live")
		c := record(t, live, dir)
		for _, r := range prompts()[:3] {
			ask(t, c, r)
		}
		if n := int(asked.Load()); n != 3-complete {
			t.Errorf("cut at %d: asked %d times, want %d", cut, n, 3-complete)
		}
		if p, err := OpenPlayer(dir); err != nil || len(p.replies) != 3 {
			t.Errorf("cut at %d: the continued cassette is wrong: %v", cut, err)
		}
	}
}

// TestRecordersShareADirectory uses several recorders, as several processes would: no answer is
// lost, and all recorders give the same answer to a request.
func TestRecordersShareADirectory(t *testing.T) {
	dir := t.TempDir()
	var recorders []*Recorder
	for range 3 {
		m, _ := counting("live")
		recorders = append(recorders, record(t, m, dir))
	}
	other, _ := counting("other")
	recorders = append(recorders, record(t, other, dir))
	var wg sync.WaitGroup
	const draws, workers = 20, 4
	type answer struct {
		request Request
		text    string
	}
	answers := make(chan answer, len(recorders)*workers*draws)
	for _, c := range recorders {
		for range workers {
			wg.Go(func() {
				for d := range uint64(draws) {
					r := Request{Purpose: Purpose("of " + c.Name()), User: Text("x"), Draw: d}
					reply, err := c.Complete(t.Context(), r)
					if err != nil {
						t.Error(err)
					}
					answers <- answer{r, reply.Text}
				}
			})
		}
	}
	wg.Wait()
	close(answers)
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	if len(p.replies) != 2*draws || p.Name() != "live+other" {
		t.Errorf("%d exchanges of %s", len(p.replies), p.Name())
	}
	for a := range answers {
		if want := ask(t, p, a.request).Text; a.text != want {
			t.Errorf("%v: %q, the cassette has %q", a.request, a.text, want)
		}
	}
}

// TestLinesOfACassette checks that an error counts the lines from the start of the file, although a
// recorder reads only the lines that are new.
func TestLinesOfACassette(t *testing.T) {
	dir := t.TempDir()
	c := record(t, failing(), dir)
	ask(t, c, Request{Draw: 1})
	ask(t, c, Request{Draw: 2})
	file := filepath.Join(dir, cassetteFile)
	good := must.Read(t, file)
	must.Write(t, file, string(good)+"not JSON\n"+string(good))
	_, err := c.Complete(t.Context(), Request{Draw: 3})
	if err == nil || !strings.Contains(err.Error(), "line 3 is not JSON") {
		t.Errorf("%v, want an error in line 3", err)
	}
}

func TestEqualRequestsAtOnceAreAskedOnce(t *testing.T) {
	release := make(chan struct{})
	m := &Scripted{Answer: func(context.Context, Request) (Reply, error) {
		<-release
		return Reply{Text: "one"}, nil
	}}
	c := record(t, m, t.TempDir())
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			got, err := c.Complete(t.Context(), Request{Draw: 3})
			if err != nil || got.Text != "one" {
				t.Errorf("%v, %v", got, err)
			}
		})
	}
	close(release)
	wg.Wait()
	if n := len(m.Requests()); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestFailureIsNotRecorded(t *testing.T) {
	dir := t.TempDir()
	c := record(t, failing(errors.New("broken")), dir)
	if _, err := c.Complete(t.Context(), Request{}); err == nil {
		t.Fatal("no error")
	}
	if got := ask(t, c, Request{}); got.Text != "ok" {
		t.Errorf("got %v", got)
	}
	if p, err := OpenPlayer(dir); err != nil || len(p.replies) != 1 {
		t.Errorf("%v", err)
	}
}

func TestTwoModelsOfOneRequestClash(t *testing.T) {
	dir := t.TempDir()
	a, _ := counting("a")
	b, _ := counting("b")
	x, y := ask(t, record(t, a, dir), Request{}), ask(t, record(t, b, dir), Request{})
	if x.Text != "a 1" || y.Text != "b 1" {
		t.Errorf("%v, %v", x, y)
	}
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	_, err = p.Complete(t.Context(), Request{})
	if err == nil || !strings.Contains(err.Error(), "are recorded for it, a and b") {
		t.Errorf("got %v", err)
	}
}

func TestReplayRefusesWhatIsNoCassette(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "x.jsonl")
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "no exchange is recorded here"},
		{"another file", "{\"a\":1}\n", "line 1: no cassette"},
		{"no JSON in the middle", "{\"note\":{}}\nxx\n{\"note\":{}}\n", "line 2 is not JSON"},
		{"fields of another type", "{\"model\":7}\n", "line 1: no cassette"},
	} {
		must.Write(t, file, c.text)
		if _, err := OpenPlayer(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	_, err := OpenPlayer(dir)
	if err == nil || !strings.Contains(err.Error(), "contains neither cassette.jsonl") {
		t.Errorf("an empty directory: %v", err)
	}
	must.Do(t, os.Rename(file, filepath.Join(dir, cassetteFile)))
	_, err = Record(failing(), dir)
	if err == nil || !strings.Contains(err.Error(), "not a recorded exchange") {
		t.Errorf("Record over another file: %v", err)
	}
}

// TestReplayKnowsTheModelOfEachRole records runs of one model, of two models and of several runs
// together.
func TestReplayKnowsTheModelOfEachRole(t *testing.T) {
	type asked struct{ model, purpose string }
	for _, c := range []struct {
		asked []asked
		want  map[string]string
	}{
		{[]asked{{"a", "algorithm/P1"}, {"a", "eap/E1"}}, map[string]string{"": "a"}},
		{[]asked{{"b", "eap/E1"}, {"a", "algorithm/P1"}, {"a", "reflection/x"}, {"b", "eap/E2"}},
			map[string]string{"": "a", "eap": "b"}},
		{[]asked{{"a", "algorithm/P1"}, {"b", "algorithm/P2"}}, map[string]string{"": "a+b"}},
		{[]asked{{"a", "eap/P1"}}, map[string]string{"": "a"}},
	} {
		dir := t.TempDir()
		for i, x := range c.asked {
			r := record(t, named{failing(), x.model}, dir)
			ask(t, r, Request{Purpose: Purpose(x.purpose), Draw: uint64(i)})
		}
		p, err := OpenPlayer(dir)
		must.Do(t, err)
		golden.Same(t, fmt.Sprint(c.asked), c.want, p.Models())
	}
}
