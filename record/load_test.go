package record

import (
	"encoding/json"
	"errors"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/must"
)

// TestUnusableAnswers checks that a result has a warning if the task failed on more than one answer
// in 20, and that the warning shows the first failure.
func TestUnusableAnswers(t *testing.T) {
	l := &Loaded{Header: Header{Budget: 40}}
	for i := range 40 {
		e := Evaluation{Evaluation: i + 1}
		switch i {
		case 3, 30:
			e.Fault = &Fault{Kind: Invalid, Detail: Unusable + "TypeError: (line 3 of the task)"}
		case 4, 5, 6:
			e.Fault = &Fault{Kind: Invalid, Detail: "returned a set"}
		}
		l.Records = append(l.Records, Line{Step: &Step{Evaluations: []Evaluation{e}}})
	}
	if w := l.Summarize().Warnings; len(w) != 0 {
		t.Errorf("2 of 40: %q", w)
	}
	l.Records[39].Step.Evaluations[0].Fault = &Fault{Kind: Invalid, Detail: Unusable + "later"}
	w := l.Summarize().Warnings
	if len(w) != 1 || !strings.HasPrefix(w[0], "3 of 40 programs failed") ||
		!strings.HasSuffix(w[0], "TypeError: (line 3 of the task)") {
		t.Errorf("3 of 40: %q", w)
	}
}

// TestNamesAndMeans: a header must not name a place, and values must have a finite mean.
func TestNamesAndMeans(t *testing.T) {
	for _, name := range []string{"../pace", "/tmp/pace", "a/b", ".."} {
		for _, header := range []string{
			`{"format":1,"task":"t","method":"` + name + `"}`,
			`{"format":1,"task":"` + name + `","method":"m"}`,
		} {
			if _, err := ParseHeader([]byte(`{"header":` + header + `}`)); err == nil {
				t.Errorf("%s is accepted", header)
			}
			dir := t.TempDir()
			must.Write(t, filepath.Join(dir, "result.json"), `{"header":`+header+`}`)
			if _, err := ReadResult(dir); err == nil {
				t.Errorf("a result with %s is accepted", header)
			}
		}
	}
	const values = `"values":[1e308,1e308]}`
	if _, err := ParseLine([]byte(`{"step":{"number":0,"evaluations":[{"evaluation":1,` +
		`"source":"x","score":1,` + values + `]}}`)); !errors.Is(err, errInfinite) {
		t.Errorf("an evaluation: %v", err)
	}
	var o SplitOutcome
	if err := json.Unmarshal([]byte(`{"mean":1,`+values), &o); !errors.Is(err, errInfinite) {
		t.Errorf("a split: %v", err)
	}
}

// FuzzParseLine checks that ParseLine and encoding/json agree on every line.
func FuzzParseLine(f *testing.F) {
	for _, line := range []string{
		`{"step":{"number":1,"requests":[{"request":{"purpose":"algorithm/E1","user":` +
			`[{"text":"a"}],"temperature":1,"draw":18446744073709551615},` +
			`"reply":{"text":"b","usage":{"prompt":3}}}],"evaluations":[` +
			`{"evaluation":1,"source":"def f(): \u00e9","score":-1.5,"values":[1.5]},` +
			`{"evaluation":2,"source":"","score":null,"fault":{"kind":"timeout"}}],` +
			`"notes":[{"kind":"x","value": {"a" : [1, 2]} }]}}`,
		`{"note":{"kind":"x","value":null}}`, `{"note":{"kind":"x"}}`,
		`{"step":{},"step":{"number":2}}`,
		`{"STEP":{"Number":1}}`, `{"step":{"number":1.0}}`, `{"step":{"number":1e2}}`, `null`, ``,
		`{"step":{"evaluations":[{"score":1,"values":[1,2]}],"evaluations":[{"score":2}]}}`,
		`{"step":{"evaluations":[null]}}`, `{"step":{"evaluations":null,"notes":null}}`,
		`{"step":{"evaluations":[{"score":1,"Score":2,"source":"\ud800 \udc00"}]}} `,
		`{"step":{"number":1}}{}`, `{"step":{"number":1},}`, "{\"note\":{\"kind\":\"\xff\"}}",
		`{"step":{"number":99999999999999999999}}`, `{"step":[]}`, `{"note":{"kind":7}}`,
		`{"note":{"kind":"x","value":{"a":1,"a":2}}}`, `{"step":{"evaluations":[{"score":1e999}]}}`,
	} {
		f.Add([]byte(line))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		var want Line
		failed := json.Unmarshal(line, &want)
		if failed == nil && (want.Step == nil) == (want.Note == nil) {
			failed = errors.New("not a record of this format")
		}
		got, err := ParseLine(line)
		if (err == nil) != (failed == nil) {
			t.Fatalf("%v, encoding/json says %v", err, failed)
		}
		if err == nil && !reflect.DeepEqual(got, want) {
			t.Errorf("%+v, encoding/json reads %+v", got, want)
		}
	})
}

// TestMinimized checks that JSON does not change the result of Minimized, even for a value of 0.
func TestMinimized(t *testing.T) {
	for _, value := range []float64{2, 0, -2} {
		for _, score := range []float64{value, -value} {
			text, err := json.Marshal(BestResult{Score: score, Value: value})
			if err != nil {
				t.Fatal(err)
			}
			var b BestResult
			if err := json.Unmarshal(text, &b); err != nil {
				t.Fatal(err)
			}
			if want := math.Signbit(score) != math.Signbit(value); b.Minimized() != want {
				t.Errorf("score %g of value %g: minimized %t, want %t", score, value, !want, want)
			}
		}
	}
}
