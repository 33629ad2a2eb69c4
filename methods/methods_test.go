package methods

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
)

func TestEveryMethodIsFoundByItsName(t *testing.T) {
	for _, m := range All() {
		got, err := New(m.Name())
		if err != nil {
			t.Errorf("New(%q): %v", m.Name(), err)
			continue
		}
		if diff := cmp.Diff(m, got); diff != "" {
			t.Errorf("New(%q) is not the one in All (-want +got):\n%s", m.Name(), diff)
		}
		if c, ok := got.(bench.Checker); !ok {
			t.Errorf("%s does not check its configuration", m.Name())
		} else if err := c.Check(); err != nil {
			t.Errorf("the defaults of %s are refused: %v", m.Name(), err)
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

// TestTheGuideShowsTheCode keeps docs/adding-a-method.md equal to the method that it explains.
func TestTheGuideShowsTheCode(t *testing.T) {
	code, err := os.ReadFile(filepath.Join("randsample", "randsample.go"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(code), "\n"); n > 64 {
		t.Errorf("randsample.go has %d lines, more than the 64 that the guide promises", n)
	}
	guide, err := os.ReadFile(filepath.Join("..", "docs", "adding-a-method.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "```go\n")
	shown, _, _ := strings.Cut(rest, "```\n")
	if diff := cmp.Diff(string(code), shown); diff != "" {
		t.Errorf("the guide's first Go block mismatch (-file +guide):\n%s", diff)
	}
}
