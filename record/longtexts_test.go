package record

import (
	"bytes"
	"encoding/json"
	"testing"
)

func TestOmitLong(t *testing.T) {
	for _, c := range []struct{ in, want, why string }{
		{`{"a":"123456","b":"1234567"}`, `{"a":"123456","b":"…"}`, "longer than six bytes"},
		{`{"a":"\"\"\"xy"}`, `{"a":"…"}`, "escaped quotes do not end a string"},
		{`{"a":"\\","b":1}`, `{"a":"\\","b":1}`, "an escaped backslash does not escape the quote"},
		{`{"a":"1234567`, `{"a":"1234567`, "a torn string stays torn"},
		{`{"source":"1234567","b":"1234567"}`, `{"source":"1234567","b":"…"}`, "a program stays"},
		{`["source","1234567"]`, `["source","…"]`, "no key"},
		{`[1,2]`, `[1,2]`, "no string"},
		{`{"reply":{"text":"1234567"}}`, `{"reply":{"text":"1234567"}}`, "a refused reply stays"},
		{`{"reply":{"text":"1234567"},"evaluations":[]}`,
			`{"reply":{"text":"…"},"…":[]}`, "an accepted reply goes"},
		{`{"a":[{"reply":{"text":"1234567"}},{"reply":{"text":"7654321"}}],"evaluations":[]}`,
			`{"a":[{"reply":{"text":"1234567"}},{"reply":{"text":"7654321"}}],"…":[]}`,
			"a repaired reply stays"},
		{`{"purpose":"thought/x","reply":{"text":"1234567"}}`,
			`{"…":"…","reply":{"text":"…"}}`, "advice goes"},
	} {
		if got := string(omitLong(nil, []byte(c.in), 6)); got != c.want {
			t.Errorf("omitLong(%s) = %s, want %s: %s", c.in, got, c.want, c.why)
		}
	}
}

// FuzzOmitLong checks that valid JSON stays valid, and that a line without long strings does not
// change.
func FuzzOmitLong(f *testing.F) {
	f.Add([]byte(`{"step":{"number":3,"requests":` +
		`[{"request":{"purpose":"a/b","user":[{"text":"x\\\"y\n"}]}}]}}`))
	f.Add([]byte(`{"a":"\\\\\"","b":["",{"c":-1.5e3}]}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		out := omitLong(nil, line, 3)
		if len(out) > len(line) {
			t.Errorf("omitLong(%q) grew to %q", line, out)
		}
		if json.Valid(line) != json.Valid(out) && json.Valid(line) {
			t.Errorf("omitLong(%q) = %q is not JSON", line, out)
		}
		whole := omitLong(nil, line, len(line))
		if !bytes.Equal(whole, line) {
			t.Errorf("omitLong(%q) with room for all = %q", line, whole)
		}
	})
}
