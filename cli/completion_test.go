package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestBashCompletes asks a real bash what it would offer.
func TestBashCompletes(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash on this machine")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.Symlink(exe, filepath.Join(dir, "pacebench")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		line string
		want []string
		not  string
	}{
		{"pacebench sui", []string{"suite"}, "run"},
		{"pacebench ", []string{"run", "suite", "report", "list"}, ""},
		{"pacebench suite tsp", []string{"tsp-construct", "tsp-aco"}, "paper"},
		{"pacebench run --task tsp", []string{"tsp-construct", "tsp-aco"}, "pace"},
		{"pacebench run --method ", []string{"pace", "eoh"}, "tsp-aco"},
		{"pacebench run --model off", []string{"offline"}, "pace"},
		{"pacebench run --task tsp-construct --test ", []string{"none", "test50"}, "pace"},
		{"pacebench export --format ", []string{"csv", "parquet"}, "pace"},
		{"pacebench run --se", []string{"--seed", "--set"}, "--task"},
	} {
		words := strings.Split(tt.line, " ")
		script := `eval "$(pacebench completion bash)"; ` +
			`COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); ` +
			`_pacebench; printf '%s\n' "${COMPREPLY[@]}"`
		cmd := exec.Command(bash, append([]string{"--norc", "-c", script, "bash"}, words...)...)
		cmd.Env = append(os.Environ(), asCommand+"=1", "PATH="+dir+":"+os.Getenv("PATH"))
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", tt.line, err, out)
		}
		got := strings.Fields(string(out))
		for _, w := range tt.want {
			if !slices.Contains(got, w) {
				t.Errorf("%q: offered %v, want %s among them", tt.line, got, w)
			}
		}
		if tt.not != "" && slices.Contains(got, tt.not) {
			t.Errorf("%q: offered %s", tt.line, tt.not)
		}
	}
}
