package offline

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestReplaceConstants(t *testing.T) {
	src := "a = b[:, 1:5].mean(axis=1) * 0.35 + 1e-9 + 9.0 * np.round(c, 2) ** 2 - 1.0 * d[:8]"
	var got []string
	replaceConstants(src, func(text string, _ float64, integer bool) string {
		if integer {
			text += " int"
		}
		got = append(got, text)
		return ""
	})
	want := []string{"5 int", "0.35", "2 int", "2", "8 int"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("constants of %q mismatch (-want +got):\n%s", src, diff)
	}
}
