package methods

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
)

func TestEveryMethodIsFoundByItsName(t *testing.T) {
	for _, m := range All() {
		got, err := New(m.Name())
		if err != nil {
			t.Errorf("New(%q): %v", m.Name(), err)
			continue
		}
		golden.Same(t, m.Name()+" by New", m, got)
		if c, ok := got.(bench.Checker); !ok {
			t.Errorf("%s does not check its configuration", m.Name())
		} else if err := c.Check(); err != nil {
			t.Errorf("the defaults of %s are refused: %v", m.Name(), err)
		}
	}
}

// TestSharedSettings checks that every method has the settings of methods/internal/ask, and that
// they shape every request.
func TestSharedSettings(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name(), func(t *testing.T) {
			settings := `{"temperature": 0.25, "max-tokens": 777}`
			if m.Name() == "hsevo" { // which has another temperature for its first programs
				settings = `{"temperature": 0.25, "max-tokens": 777, "init-temperature-boost": 0}`
			}
			d := json.NewDecoder(strings.NewReader(settings))
			d.DisallowUnknownFields()
			must.Do(t, d.Decode(m))
			model := methodtest.Model(func(i int, _ llm.Request) string {
				return methodtest.Scored(i, i)
			})
			benchtest.Run(t, m, benchtest.Config{Model: model, Budget: 50,
				Analyzer: programtest.Analyzer(t)})
			purposes := map[llm.Purpose]bool{}
			for _, r := range model.Requests() {
				purposes[r.Purpose] = true
				if r.Temperature != 0.25 || r.MaxTokens != 777 {
					t.Errorf("%s is asked with temperature %g and max-tokens %d, want 0.25 and 777",
						r.Purpose, r.Temperature, r.MaxTokens)
				}
			}
			if len(purposes) == 0 {
				t.Error("no request")
			}
		})
	}
	for wrong, want := range map[string]string{
		`{"temperature": 3}`: "temperature: 3, want 0 to 2",
		`{"max-tokens": 0}`:  "max-tokens: 0, want at least 1",
	} {
		for _, m := range All() {
			must.Do(t, json.Unmarshal([]byte(wrong), m))
			if err := m.(bench.Checker).Check(); err == nil || err.Error() != want {
				t.Errorf("%s, %s: Check() = %v, want %s", m.Name(), wrong, err, want)
			}
		}
	}
}

func TestAnUnknownMethodIsAnErrorWithAHint(t *testing.T) {
	_, err := New("eho")
	if err == nil || err.Error() != `unknown method "eho"` {
		t.Errorf("New(eho) = %v", err)
	}
	for _, m := range All() {
		if !strings.Contains(hint.Of(err), m.Name()) {
			t.Errorf("the hint %q lacks %s", hint.Of(err), m.Name())
		}
	}
}

// TestCards checks that each method has a short card with the same structure.
func TestCards(t *testing.T) {
	for _, m := range All() {
		text := must.Read(t, filepath.Join("..", "docs", "methods", m.Name()+".md"))
		if n := strings.Count(string(text), "\n"); n > 60 {
			t.Errorf("the card of %s has %d lines, more than 60", m.Name(), n)
		}
		for _, part := range []string{"How a search runs", "Settings", "Cost"} {
			if !strings.Contains(string(text), "\n## "+part+"\n") {
				t.Errorf("the card of %s has no %q", m.Name(), part)
			}
		}
	}
}
