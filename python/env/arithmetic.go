package pyenv

import (
	"fmt"
	"os"
	"regexp"
	"runtime"

	"golang.org/x/sys/cpu"
)

// Arithmetic lists the environment variables that fix how NumPy and OpenCV compute on x86-64
// processors with AVX2: one thread, one kernel of OpenBLAS, and no 512-bit vectors, with which
// NumPy's argsort may order equal values differently.
var Arithmetic = settingsFor(cpu.X86.HasAVX2, cpu.X86.HasAVX512F)

// settingsVersion is the version of settingsFor, and part of the name of a class of arithmetic:
// every change of the settings must raise it. Version 2 switched 512-bit vectors off.
const settingsVersion = 2

func settingsFor(avx2, avx512 bool) []string {
	env := []string{
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1",
	}
	if avx2 {
		// OpenBLAS may otherwise not recognise a new processor and fall back to SSE.
		env = append(env, "OPENBLAS_CORETYPE=Haswell")
	}
	if avx512 { // NumPy warns of features that the processor does not have
		env = append(env, "NPY_DISABLE_CPU_FEATURES="+
			"AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
			"OPENCV_CPU_DISABLE=AVX512F,AVX512-COMMON,AVX512-SKX")
	}
	return env
}

// class names the arithmetic of an environment: "amd64 v3, settings 2, canary 0123456789abcdef".
// Equal programs have equal scores in equal classes. The canary covers NumPy, SciPy and the C
// library; the processor's class covers the other packages.
func class(l lock, canary string) string {
	return fmt.Sprintf("%s, settings %d, canary %s", processor(l.wide()), settingsVersion, canary)
}

// processor names the class of the processor by the vectors that packages use. If wide is set, it
// also names v4 and the maker, by which torch's libraries choose their kernels.
func processor(wide bool) string {
	name := runtime.GOARCH
	switch x := cpu.X86; { // all false on other processors
	case wide && x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ &&
		x.HasAVX512VL:
		name += " v4"
	case x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasFMA:
		name += " v3"
	case x.HasSSE42 && x.HasPOPCNT:
		name += " v2"
	}
	info, err := os.ReadFile("/proc/cpuinfo")
	if m := makerLine.FindSubmatch(info); wide && err == nil && m != nil {
		name += " of " + string(m[1])
	}
	return name
}

var makerLine = regexp.MustCompile(`(?m)^(?:vendor_id|CPU implementer)\s*: (\S+)$`)
