// Package sets keeps the instances of a task's splits: they are drawn on first use and compared
// with the published checksums. Start at Sets.
package sets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
)

// A Split is a split with checksums of its instances.
type Split struct {
	Name      string
	Title     string // in tables: "n=50"; splits with the training split's title are in its domain
	Instances int
	Limit     time.Duration // CPU time of a candidate on the whole split
	SHA256    []string      // checksum of each array, over all instances
}

// Of returns a split.
func Of(name, title string, instances int, limit time.Duration, sums ...string) Split {
	return Split{name, title, instances, limit, sums}
}

// Sets are the instances of all splits. Callers must not change the returned values.
type Sets[T any] struct {
	Task   string
	Splits []Split // the training split first, the validation split last
	// Draw returns the instances by split. Splits that are not in Splits only advance a generator.
	Draw func() map[string][]T
	// Arrays are an instance's numbers, little-endian, in the order of SHA256.
	Arrays func(T) [][]byte

	once   sync.Once
	drawn  map[string][]T
	digest map[string]string
}

// sets draws all instances and panics if they differ from the published ones, because then the
// task's scores would be meaningless.
func (s *Sets[T]) sets() map[string][]T {
	s.once.Do(func() {
		s.drawn, s.digest = s.Draw(), map[string]string{}
		for _, split := range s.Splits {
			instances, all := s.drawn[split.Name], sha256.New()
			if len(instances) != split.Instances {
				panic(fmt.Sprintf("%s: %s has %d instances, not %d",
					s.Task, split.Name, len(instances), split.Instances))
			}
			for k, want := range split.SHA256 {
				one := sha256.New()
				for _, in := range instances {
					array := s.Arrays(in)[k]
					one.Write(array)
					all.Write(array)
				}
				if got := hex.EncodeToString(one.Sum(nil)); got != want {
					panic(fmt.Sprintf("%s: array %d of %s has SHA-256 %s, not the published %s",
						s.Task, k, split.Name, got, want))
				}
			}
			s.digest[split.Name] = hex.EncodeToString(all.Sum(nil))
		}
	})
	return s.drawn
}

// Instance returns one instance of a split.
func (s *Sets[T]) Instance(split string, number int) (in T, err error) {
	place := s.Place(split)
	switch {
	case place < 0:
		return in, fmt.Errorf("%s has no split %q", s.Task, split)
	case number < 0 || number >= s.Splits[place].Instances:
		return in, fmt.Errorf("%s has no instance %d in split %s", s.Task, number, split)
	}
	return s.sets()[split][number], nil
}

// Place returns the index of a split in the list, or -1.
func (s *Sets[T]) Place(split string) int {
	return slices.IndexFunc(s.Splits, func(x Split) bool { return x.Name == split })
}

// Bench returns all splits for a task.
func (s *Sets[T]) Bench() (out []bench.Split) {
	for _, x := range s.Splits {
		out = append(out, bench.Split{
			Name: x.Name, Title: x.Title, InDomain: x.Title == s.Splits[0].Title,
			Instances: x.Instances, Limits: bench.Limits{CPU: x.Limit},
		})
	}
	return out
}

// LikeTraining reports whether instances are scored like training instances; the validation split's
// are.
func (s *Sets[T]) LikeTraining(split string) bool {
	return split == s.Splits[0].Name || split == record.Val
}

// Digest is the digest of a split's arrays, one after the other, or "" for an unknown split.
func (s *Sets[T]) Digest(split string) string {
	s.sets()
	return s.digest[split]
}

// Array returns a float64 array as an argument.
func Array(values []float64, shape ...int) bench.Array {
	return bench.Array{DType: "float64", Shape: shape, Data: numpy.Bytes(values)}
}
