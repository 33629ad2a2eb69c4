package cli

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
)

func TestNothingControlsTheTerminal(t *testing.T) {
	var b bytes.Buffer
	w := printable(&b)
	hostile := "a\x1b[31mb\r\x07\u009b2J\u202ec\u200b \xff\x7f"
	printError(w, hint.Add(errors.New(hostile), hostile))
	fmt.Fprintln(w, "±×é日本 …\u00a0\tx")
	want := "pacebench: error: a?[31mb???2J?c? \ufffd?\n" +
		"pacebench: hint: a?[31mb???2J?c? \ufffd?\n±×é日本 …\u00a0\tx\n"
	if b.String() != want {
		t.Errorf("printed %q\nwant    %q", b.String(), want)
	}
	b.Reset()
	for _, c := range []byte("92.40 ± 7.69 日本\n") { // a rune in pieces
		if _, err := w.Write([]byte{c}); err != nil {
			t.Fatal(err)
		}
	}
	if b.String() != "92.40 ± 7.69 日本\n" {
		t.Errorf("printed %q", b.String())
	}
}
