package bench

import (
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
	"github.com/pacebench/pacebench/internal/testkit/must"
)

func TestPhrases(t *testing.T) {
	var got Phrases
	err := got.UnmarshalText([]byte(`
a = 1  # one
if a:
    b = a
# several lines

c = "no comment ends it"
`))
	must.Do(t, err)
	want := Phrases{{"a = 1", "one"}, {"if a:\n    b = a", "several lines"}}
	golden.Same(t, "Phrases", want, got)
}
