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
	var want []Reply
	for _, r := range prompts() {
		want = append(want, ask(t, c, r))
	}
	again := record(t, m, dir) // as if after a crash
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	for i, r := range prompts() {
		for _, m := range []Model{c, again, p} {
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
	long := "Improve the function below.\n\ndef f(x):\n    return x + 1\n"
	ask(t, c, Request{Purpose: "algorithm/P1", User: Text(long), Draw: 7, Temperature: 1})
	ask(t, c, Request{Purpose: "eap/E1", User: Text("Help"), Draw: 8, Temperature: 1})
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	for _, c := range []struct {
		name string
		r    Request
		want string
	}{
		{"draw", Request{Purpose: "algorithm/P1", User: Text(long), Draw: 9, Temperature: 1},
			"(algorithm/P1, draw 9): this request is not recorded: " +
				"the nearest request has draw 7, not 9"},
		{"temperature",
			Request{Purpose: "algorithm/P1", User: Text(long), Draw: 7, Temperature: 0.5},
			"has temperature 1, not 0.5"},
		{"max tokens", Request{
			Purpose: "algorithm/P1", User: Text(long), Draw: 7, Temperature: 1, MaxTokens: 9,
		}, "has max_tokens 0, not 9"},
		{"prompt", Request{
			Purpose: "algorithm/P1", User: Text(strings.Replace(long, "x + 1", "x + 2", 1)),
			Draw: 7, Temperature: 1,
		}, `differs in line 5 of its prompt: ` +
			`recorded "    return x + 1", asked "    return x + 2"`},
		{"purpose",
			Request{Purpose: "reflection/short", User: Text("Help"), Draw: 8, Temperature: 1},
			"has purpose eap/E1, not reflection/short"},
		{"parts", Request{Purpose: "algorithm/P1", System: "", User: []Part{
			{Text: "Improve the function below."}, {Text: "\ndef f(x):\n    return x + 1\n"},
		}, Draw: 7, Temperature: 1}, "has the same text in different parts"},
	} {
		_, err := p.Complete(t.Context(), c.r)
		if !errors.Is(err, ErrNotRecorded) || !errors.Is(err, ErrFatal) ||
			!strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
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
	var replies [draws][len("abc") + 1][workers]string
	for i, c := range recorders {
		for w := range workers {
			wg.Go(func() {
				for d := range draws {
					reply, err := c.Complete(t.Context(), Request{
						Purpose: Purpose(fmt.Sprint("of ", c.Name())), User: Text("x"),
						Draw: uint64(d),
					})
					if err != nil {
						t.Error(err)
						return
					}
					replies[d][i][w] = reply.Text
				}
			})
		}
	}
	wg.Wait()
	p, err := OpenPlayer(dir)
	must.Do(t, err)
	if len(p.replies) != 2*draws || p.Name() != "live+other" {
		t.Errorf("%d exchanges of %s", len(p.replies), p.Name())
	}
	for d := range draws {
		for i, c := range recorders {
			want := ask(t, p, Request{
				Purpose: Purpose(fmt.Sprint("of ", c.Name())), User: Text("x"), Draw: uint64(d),
			}).Text
			for w := range workers {
				if got := replies[d][i][w]; got != want {
					t.Errorf("draw %d, recorder %d: %q, the cassette has %q", d, i, got, want)
				}
			}
		}
	}
}

// TestLinesOfACassette checks that an error counts the lines from the start of the file, although a
// recorder reads only the lines that are new.
func TestLinesOfACassette(t *testing.T) {
	dir := t.TempDir()
	model := NewScripted(func(Request) string { return "x" })
	c, err := Record(model, dir)
	must.Do(t, err)
	again := func(draw uint64) error {
		_, err := c.Complete(t.Context(), Request{User: Text("hello"), Draw: draw})
		return err
	}
	must.Do(t, errors.Join(again(1), again(2)))
	file := filepath.Join(dir, cassetteFile)
	good := must.Read(t, file)
	must.Write(t, file, string(good)+"not JSON\n"+string(good))
	if err := again(3); err == nil || !strings.Contains(err.Error(), "line 3 is not JSON") {
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
		name  string
		asked []asked
		want  map[string]string
	}{
		{"one", []asked{{"a", "algorithm/P1"}, {"a", "eap/E1"}}, map[string]string{"": "a"}},
		{"two", []asked{
			{"b", "eap/E1"}, {"a", "algorithm/P1"}, {"a", "reflection/x"}, {"b", "eap/E2"},
		}, map[string]string{"": "a", "eap": "b"}},
		{"two runs", []asked{{"a", "algorithm/P1"}, {"b", "algorithm/P2"}},
			map[string]string{"": "a+b"}},
		{"no algorithm", []asked{{"a", "eap/P1"}}, map[string]string{"": "a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for i, x := range c.asked {
				r, err := Record(named{scriptedReplies("answer"), x.model}, dir)
				must.Do(t, err)
				request := Request{Purpose: Purpose(x.purpose), Draw: uint64(i)}
				if _, err := r.Complete(t.Context(), request); err != nil {
					t.Fatal(err)
				}
			}
			p, err := OpenPlayer(dir)
			must.Do(t, err)
			golden.Same(t, "models", c.want, p.Models())
		})
	}
}
