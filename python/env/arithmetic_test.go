package pyenv

import (
	"encoding/json"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"testing"

	"golang.org/x/sys/cpu"
)

// TestSettings pins the settings of each version: a change of the settings must raise
// settingsVersion.
func TestSettings(t *testing.T) {
	versions := map[int][]string{2: {
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1",
		"OPENBLAS_CORETYPE=Haswell", "NPY_DISABLE_CPU_FEATURES=" +
			"AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
		"OPENCV_CPU_DISABLE=AVX512F,AVX512-COMMON,AVX512-SKX",
	}}
	want := versions[settingsVersion]
	if got := settingsFor(true, true); !slices.Equal(got, want) {
		t.Errorf("settings %d are %q, want %q", settingsVersion, got, want)
	}
	if got := settingsFor(true, false); !slices.Equal(got, want[:5]) {
		t.Errorf("without vectors of 512 bits: %q, want %q", got, want[:5])
	}
	if got := settingsFor(false, false); !slices.Equal(got, want[:4]) {
		t.Errorf("without AVX2: %q, want %q", got, want[:4])
	}
}

// TestClass: the name has everything that makes scores differ, and the processor's maker only if it
// matters.
func TestClass(t *testing.T) {
	const canary = "0123456789abcdef"
	narrow, wide := lock{}, lock{extras: extras}
	name := regexp.MustCompile(`^[a-z0-9]+( v[2-4])?( of \S+)?, settings 2, canary ` + canary + `$`)
	for _, l := range []lock{narrow, wide} {
		if got := class(l, canary); !name.MatchString(got) {
			t.Errorf("class %q", got)
		}
	}
	if got := class(narrow, canary); regexp.MustCompile(` v4| of `).MatchString(got) {
		t.Errorf("class %q: vectors of 512 bits are off, and makers compute alike", got)
	}
	own, err := lock{}.on(extra{name: "own", wide: true})
	if err != nil || !own.wide() || narrow.wide() {
		t.Errorf("wide: %v, %v, %v", own.wide(), narrow.wide(), err)
	}
}

// TestCanarySees: switching vector units off changes the canary, and therefore the class.
func TestCanarySees(t *testing.T) {
	env := ForTest(t)
	if runtime.GOARCH != "amd64" || !cpu.X86.HasAVX2 {
		t.Skip("the test needs an x86-64 processor with AVX2")
	}
	for _, off := range []string{"", "AVX2"} {
		cmd := exec.Command(env.Python, "-I", "-B", "-c", probeSource)
		cmd.Env = append(environment(), "NPY_DISABLE_CPU_FEATURES="+off)
		if off == "" {
			cmd.Env = environment()
		}
		out, err := cmd.Output()
		var said interpreter
		if err != nil || json.Unmarshal([]byte(lastOf(string(out))), &said) != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if same := said.Canary == env.Canary; same != (off == "") {
			t.Errorf("without %q the canary is %s, with all %s", off, said.Canary, env.Canary)
		}
	}
}
