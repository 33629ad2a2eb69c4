package bench

import (
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
)

// stream returns the generator for one purpose of one run, so that one more draw in one place
// moves nothing elsewhere. The parts are separated by NUL so that ("ab","c") and ("a","bc")
// differ. The bytes are pinned by a test: another derivation would orphan every recorded run.
func stream(seed uint64, purpose string) *rand.Rand {
	sum := sha256.Sum256(fmt.Appendf(nil, "pacebench.rand.v1\x00%d\x00%s", seed, purpose))
	return rand.New(rand.NewChaCha8(sum))
}
