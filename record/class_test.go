package record

import "testing"

// TestClass checks that an unnamed class differs from every named class, and from the empty class
// of a run without Python.
func TestClass(t *testing.T) {
	const here, there = "amd64 v3, settings 2, canary 1", "amd64 v3, settings 2, canary 2"
	for _, c := range []struct{ python, arithmetic, class, world string }{
		{"3.11.7", here, here, "paper, " + here},
		{"3.11.7", there, there, "paper, " + there},
		{"3.11.7", "", Unnamed, "paper, " + Unnamed},
		{"", "", "", "paper"},
	} {
		h := Header{Python: c.python, Arithmetic: c.arithmetic, Lock: "paper"}
		if got := h.Class(); got != c.class {
			t.Errorf("class of %q: %q, want %q", c.arithmetic, got, c.class)
		}
		if got := h.World(); got != c.world {
			t.Errorf("world of %q: %q, want %q", c.arithmetic, got, c.world)
		}
		want := `scored with "` + c.class + `", this machine computes with "` + here +
			`": scores from different classes of arithmetic are not comparable`
		if c.class == here {
			want = ""
		}
		now := Header{Python: "3.11.7", Arithmetic: here, Lock: "paper"}
		if got := ArithmeticDifference(h, now); got != want {
			t.Errorf("%q and %q: %q, want %q", c.arithmetic, here, got, want)
		}
	}
}
