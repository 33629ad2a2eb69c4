package python

import (
	"runtime"

	"golang.org/x/sys/cpu"
)

// Arithmetic is the part of an environment that holds NumPy and OpenCV to one way on x86-64
// processors with AVX2: one thread, one kernel of OpenBLAS, and no vectors of 512 bits, with which
// NumPy's argsort may order equal values differently.
var Arithmetic = arithmetic()

func arithmetic() []string {
	env := []string{
		"OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1", "MKL_NUM_THREADS=1", "NUMEXPR_NUM_THREADS=1",
	}
	if runtime.GOARCH == "amd64" && cpu.X86.HasAVX2 {
		// OpenBLAS may otherwise not recognise a new processor and fall back to SSE.
		env = append(env, "OPENBLAS_CORETYPE=Haswell")
	}
	if cpu.X86.HasAVX512F { // NumPy warns of what a processor has not
		env = append(env, "NPY_DISABLE_CPU_FEATURES="+
			"AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
			"OPENCV_CPU_DISABLE=AVX512F,AVX512-COMMON,AVX512-SKX")
	}
	return env
}
