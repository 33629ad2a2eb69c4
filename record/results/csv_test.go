package results

import "testing"

func TestCSVText(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "6.25": "6.25", "-6.25": "-6.25",
		"+1e-3": "+1e-3", "-Inf": "-Inf", "-7.4 -2.1 3": "-7.4 -2.1 3", "\t": "'\t",
		`=HYPERLINK("http://evil.example")`: `'=HYPERLINK("http://evil.example")`,
		"+1+cmd":                            "'+1+cmd", "-2+3": "'-2+3",
		"@SUM(A1)": "'@SUM(A1)", "-": "'-", "- a list": "'- a list", "\t=1": "'\t=1",
		"\r=1": "'\r=1", "a=b": "a=b", "'=1": "'=1",
	} {
		if got := CSVText(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
