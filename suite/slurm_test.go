package suite

import "testing"

// sbatch(1) lists these spellings of a time limit.
func TestSlurmTime(t *testing.T) {
	for text, want := range map[string]string{
		"90": "1h30m0s", "2:30": "2m30s", "1:02:03": "1h2m3s", "2-3": "51h0m0s",
		"1-0:30": "24h30m0s", "1-00:00:05": "24h0m5s", "UNLIMITED": "0s", "infinite": "0s",
		"0": "0s", "": "0s", "-1": "", "-1:30": "", "1--2": "", "1:-5": "", "1:2:3:4": "",
		"x-1": "", "soon": "", "1-": "", " 5": "", "99999999999": "", "1-4294967295": "",
	} {
		got, err := slurmTime(text)
		if (err == nil) != (want != "") || err == nil && got.String() != want {
			t.Errorf("%q: %v, %v, want %s", text, got, err, want)
		}
	}
}
