package methods

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
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
	"github.com/pacebench/pacebench/methods/bestofn"
	"github.com/pacebench/pacebench/methods/funsearch"
	"github.com/pacebench/pacebench/methods/internal/ask"
	"github.com/pacebench/pacebench/methods/pace"
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

// TestConformance runs the conformance tests for every method. The long tier, which follows the
// quick tier, tests more points of a run of PACE, and two methods with other settings.
func TestConformance(t *testing.T) {
	all := All()
	if benchtest.Long() {
		all = []bench.Method{pace.New()}
	}
	for _, m := range all {
		t.Run(m.Name(), func(t *testing.T) {
			benchtest.Method(t, func() bench.Method {
				fresh, err := New(m.Name())
				must.Do(t, err)
				return fresh
			})
		})
	}
	if !benchtest.Long() {
		return
	}
	t.Run("bestofn from the template", func(t *testing.T) {
		benchtest.Method(t, func() bench.Method {
			m := bestofn.New()
			m.Start, m.Epsilon, m.Top, m.Children = bestofn.Template, 0.2, 3, 6
			return m
		})
	})
	t.Run("funsearch with resets", func(t *testing.T) {
		benchtest.Method(t, func() bench.Method {
			m := funsearch.New()
			m.Reset, m.Signature, m.Normalise, m.Shown = 20, funsearch.ByValues, false, 3
			return m
		})
	})
}

// TestSharedSettings checks that every method has the settings of methods/internal/ask, and that
// they apply to every request.
func TestSharedSettings(t *testing.T) {
	for _, m := range All() {
		t.Run(m.Name(), func(t *testing.T) {
			settings := `{"temperature": 0.25, "max-tokens": 777}`
			if m.Name() == "hsevo" { // its first programs have another temperature
				settings = `{"temperature": 0.25, "max-tokens": 777, "init-temperature-boost": 0}`
			}
			d := json.NewDecoder(strings.NewReader(settings))
			d.DisallowUnknownFields()
			must.Do(t, d.Decode(m))
			model := methodtest.Model(methodtest.ByCall)
			benchtest.Run(t, m, benchtest.Config{Model: model, Budget: 50,
				Analyzer: programtest.Analyzer(t)})
			purposes := map[llm.Purpose]bool{}
			for _, r := range model.Requests() {
				purposes[r.Purpose] = true
				if r.Temperature != 0.25 || r.MaxTokens != 777 {
					t.Errorf("%s has temperature %g and max-tokens %d, want 0.25 and 777",
						r.Purpose, r.Temperature, r.MaxTokens)
				}
			}
			if len(purposes) == 0 {
				t.Error("no request")
			}
		})
	}
}

// TestChecks checks the messages for wrong settings of each kind.
func TestChecks(t *testing.T) {
	for name, wrong := range map[string]map[string]string{
		"randsample": {`{"window": 0}`: "window: 0 proposals in flight, want at least 1"},
		"bestofn": {
			`{"children": 0}`:  "children: 0 proposals, want at least 1",
			`{"top": 0}`:       "top: 0 programs, want at least 1",
			`{"epsilon": 1.5}`: "epsilon: 1.5, want 0 to 1",
			`{"start": "x"}`:   `start: "x", want i1 or template`,
			`{"window": 0}`:    "window: 0 proposals in flight, want at least 1",
		},
		"funsearch": {
			`{"islands": 0}`:             "islands: 0, want at least 1",
			`{"shown": 0}`:               "shown: 0 programs, want at least 1",
			`{"samples": 0}`:             "samples: 0 answers, want at least 1",
			`{"cluster-temperature": 0}`: "cluster-temperature: 0, want more than 0",
			`{"cluster-period": 0}`:      "cluster-period: 0 registrations, want at least 1",
			`{"reset": -1}`:              "reset: -1 evaluations, want at least 1, or 0 for never",
			`{"signature": "x"}`:         `signature: "x", want score or values`,
			`{"window": 0}`:              "window: 0 proposals in flight, want at least 1",
		},
		"eoh": {
			`{"population": 0}`: "population: 0 programs, want at least 1",
			`{"window": -1}`:    "window: -1 proposals in flight, want at least 1",
			`{"parents": 0}`:    "parents: 0, want at least 1",
			`{"parser": "lax"}`: `parser: "lax", want shared or strict`,
		},
		"reevo": {
			`{"population": 0}`:     "population: 0 programs, want at least 1",
			`{"window": 0}`:         "window: 0 proposals in flight, want at least 1",
			`{"window": 1001}`:      "window: 1001 proposals in flight, want at most 1000",
			`{"mutation-rate": -1}`: "mutation-rate: -1, want 0 to 1",
			`{"hints": 0}`:          "hints: 0, want at least 1",
		},
		"mcts-ahd": {
			`{"initial": 0}`:         "initial: 0 programs, want at least 1",
			`{"elite": 3}`:           "elite: 3 programs, want at least 4, the value of initial",
			`{"parents": 5}`:         "parents: 5 programs, want 1 to 4, the value of initial",
			`{"alpha": 2}`:           "alpha: 2, want 0 to 1",
			`{"lambda": -1}`:         "lambda: -1, want 0 to 1000",
			`{"depth": 0}`:           "depth: 0, want at least 1",
			`{"attempts": 0}`:        "attempts: 0, want at least 1",
			`{"window": 0}`:          "window: 0 expansions in flight, want at least 1",
			`{"e1-refs": "some"}`:    `e1-refs: "some", want all or sampled`,
			`{"compat": "official"}`: `compat: "official", want none or llm4ad`,
			`{"parser": ""}`:         `parser: "", want shared or strict`,
		},
		"hsevo": {
			`{"population": 0}`:          "population: 0, want at least 1",
			`{"initial-population": 0}`:  "initial-population: 0, want at least 1",
			`{"harmony-memory": 0}`:      "harmony-memory: 0, want at least 1",
			`{"harmony-iterations": -1}`: "harmony-iterations: -1, want at least 0",
			`{"window": 0}`:              "window: 0, want at least 1",
			`{"hmcr": 1.5}`:              "hmcr: 1.5, want 0 to 1",
			`{"par": -1}`:                "par: -1, want 0 to 1",
			`{"init-temperature-boost": 1.5}`: "init-temperature-boost: " +
				"the initial temperature would be 2.5, want at most 2",
		},
		"mles": {
			`{"population": 0}`:      "population: 0 programs, want at least 1",
			`{"parents": 0}`:         "parents: 0, want at least 1",
			`{"window": -1}`:         "window: -1 proposals in flight, want at least 1",
			`{"init-cap": -1}`:       "init-cap: -1 evaluations, want at least 1, or 0 for none",
			`{"unit": "tokens"}`:     `unit: "tokens", want calls or evaluations`,
			`{"records": "picture"}`: `records: "picture", want text or none`,
			`{"parser": "lax"}`:      `parser: "lax", want shared or strict`,
		},
		"pace": {
			`{"k": 0}`:               "k: 0, want at least 1",
			`{"generation-size": 0}`: "generation-size: 0, want at least 1",
			`{"warmup": 0}`:          "",
			`{"operators": null}`:    "operators: none, want some of P1, P2, P3, P4",
			`{"operators": ["P1", "p2"]}`: `operators: "p2", ` +
				"want some of P1, P2, P3, P4",
			`{"operators": ["P1", "P1"]}`: "operators: P1 is named twice",
		},
	} {
		wrong[`{"temperature": 3}`] = "temperature: 3, want 0 to 2"
		wrong[`{"max-tokens": 0}`] = "max-tokens: 0, want at least 1"
		for settings, want := range wrong {
			m, err := New(name)
			must.Do(t, err, json.Unmarshal([]byte(settings), m))
			err = m.(bench.Checker).Check()
			if got := fmt.Sprint(err); got != cmp.Or(want, "<nil>") {
				t.Errorf("%s, %s: Check() = %s, want %s", name, settings, got, want)
			}
		}
	}
	if ask.Within("par", math.NaN(), 1) == nil {
		t.Error("NaN is within 0 to 1")
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
