package python

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// scripts/lock-python writes the locks.
var (
	//go:embed paper.lock
	paperLock string
	//go:embed current.lock
	currentLock string
)

// A lock is a choice of packages: their versions, with the hash of every wheel.
type lock struct {
	name           string
	text           string // a requirements file of pip
	oldest, newest int    // minor versions of Python 3 that have wheels for all of it
}

// locks are all there are, the default first. The programs printed in the paper have their
// published scores with NumPy 1.x only: NumPy 2 promotes float32 scalars differently.
var locks = []lock{
	{"paper", paperLock, 11, 12},
	{"current", currentLock, 11, 14},
}

// NoLock is the Env.Lock of an interpreter whose packages are those of no lock.
const NoLock = "none"

// Locks returns the names of the locks, the default first.
func Locks() []string {
	var names []string
	for _, l := range locks {
		names = append(names, l.name)
	}
	return names
}

// lockOf returns the lock that has these versions.
func lockOf(numpy, scipy string) string {
	i := slices.IndexFunc(locks, func(l lock) bool { return l.version("numpy") == numpy && l.version("scipy") == scipy })
	if i < 0 {
		return NoLock
	}
	return locks[i].name
}

// version is the version of a package; empty: it is not in the lock.
func (l lock) version(name string) string {
	for line := range strings.SplitSeq(l.text, "\n") {
		if rest, ok := strings.CutPrefix(line, name+"=="); ok {
			return strings.Fields(rest)[0]
		}
	}
	return ""
}

// String is the lock for a person: "NumPy 1.26.4 and SciPy 1.16.3".
func (l lock) String() string { return packages(l.version("numpy"), l.version("scipy")) }

func packages(numpy, scipy string) string {
	if scipy == "" {
		return "NumPy " + numpy + " without SciPy"
	}
	return "NumPy " + numpy + " and SciPy " + scipy
}

func (l lock) covers(i *interpreter) bool { return l.oldest <= i.minor() && i.minor() <= l.newest }

// pythons names the versions that it covers.
func (l lock) pythons() string { return fmt.Sprintf("3.%d to 3.%d", l.oldest, l.newest) }

func (l lock) digest() string {
	sum := sha256.Sum256([]byte(l.text))
	return hex.EncodeToString(sum[:6])
}
