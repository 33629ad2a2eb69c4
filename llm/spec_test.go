package llm

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

func TestParseSpec(t *testing.T) {
	for _, c := range []struct {
		text string
		want Spec
		err  string
	}{
		{"offline", Spec{SpecOffline, ""}, ""},
		{"openai:gpt-4o-mini", Spec{SpecOpenAI, "gpt-4o-mini"}, ""},
		{"openai:llama3:8b", Spec{SpecOpenAI, "llama3:8b"}, ""},
		{"replay:results/x", Spec{SpecReplay, "results/x"}, ""},
		{"scripted:a b.txtar", Spec{SpecScripted, "a b.txtar"}, ""},
		{"", Spec{}, "no model is named"},
		{"offline:", Spec{}, "offline takes no argument"},
		{"openai", Spec{}, "openai: needs a model after the colon"},
		{"replay: ", Spec{}, "replay: needs a directory after the colon"},
		{"gpt-4o", Spec{}, "did you mean openai:gpt-4o?"},
		{"OpenAI:gpt-4o", Spec{}, `"OpenAI" is not a kind of model`},
		{"openai: m", Spec{}, "begins or ends with a space"},
		{"openai:m\n", Spec{}, "no control characters"},
	} {
		got, err := ParseSpec(c.text)
		if got != c.want || c.err == "" && err != nil ||
			c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
			t.Errorf("ParseSpec(%q) = %v, %v; want %v, %q", c.text, got, err, c.want, c.err)
		}
	}
}

func TestRoute(t *testing.T) {
	named := func(name string) Model {
		return &OpenAI{name: "openai:" + name}
	}
	m := Route{Default: named("a"), ByRole: map[string]Model{"eap": named("b"), "aux": named("a")}}
	if want := "openai:a+aux=openai:a+eap=openai:b"; m.Name() != want {
		t.Errorf("name %q, want %q", m.Name(), want)
	}
	big, small := scriptedReplies("big", "big"), scriptedReplies("small")
	m = Route{Default: big, ByRole: map[string]Model{"eap": small}}
	for purpose, want := range map[Purpose]string{
		"eap/E1": "small", "algorithm/P1": "big", "": "big",
	} {
		if got := ask(t, m, Request{Purpose: purpose}).Text; got != want {
			t.Errorf("%q: %q; want %q", purpose, got, want)
		}
	}
}

func TestScriptedFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.txtar")
	file := "-- algorithm/P1 --\nexact\n-- algorithm one --\nfirst\n" +
		"-- algorithm two --\nsecond\n-- any --\nelse\n"
	must.Write(t, path, file)
	m, err := ScriptedFile(path)
	must.Do(t, err)
	for _, c := range []struct {
		purpose Purpose
		draw    uint64
		want    string
	}{
		{"algorithm/P1", 1, "exact\n"}, {"algorithm/P2", 4, "first\n"},
		{"algorithm/P2", 7, "second\n"}, {"eap/E1", 0, "else\n"},
	} {
		got := ask(t, m, Request{Purpose: c.purpose, Draw: c.draw}).Text
		if got != c.want {
			t.Errorf("%s, draw %d: %q; want %q", c.purpose, c.draw, got, c.want)
		}
	}
	must.Write(t, path, "-- eap --\nx\n")
	m, err = ScriptedFile(path)
	must.Do(t, err)
	_, err = m.Complete(t.Context(), Request{Purpose: "algorithm/P1"})
	if !errors.Is(err, ErrFatal) ||
		!strings.Contains(err.Error(), "answers.txtar has no section") {
		t.Errorf("got %v", err)
	}
	for _, bad := range []string{path + "x", os.DevNull} {
		if _, err := ScriptedFile(bad); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// scriptedReplies returns a model that answers the n-th request with the n-th text.
func scriptedReplies(texts ...string) *Scripted {
	n := 0
	return NewScripted(func(Request) string { n++; return texts[n-1] })
}
