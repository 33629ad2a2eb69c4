// Package sets keeps the instances of a task's splits: they are drawn on first use and compared
// with the published checksums, if there are any. Start at Sets.
package sets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/tasks/internal/numpy"
	"github.com/pacebench/pacebench/tasks/internal/programs"
)

// A Split is a split with checksums of its instances.
type Split struct {
	Name      string
	Title     string // in tables: "n=50"; a split with the training split's title is in-domain
	Instances int
	Seconds   int      // limit on a candidate's CPU time on the whole split
	SHA256    []string // checksum of each array, over all instances; nil: not published
	Size      int      // number of cities of an instance; optional
}

// Read reads the splits of a task from the embedded file splits.toml.
func Read(files embed.FS) []Split {
	var file struct{ Splits []Split }
	programs.Decode(files, "splits.toml", &file)
	return file.Splits
}

// Sets has the instances of all splits of a task. Callers must not change the instances that its
// methods return.
type Sets[T any] struct {
	Task   string
	Splits []Split                // the training split first, the validation split last
	Draw   func(split string) []T // draws a split; called once for each split
	// Arrays returns an instance's arrays as little-endian bytes, in the order of Split.SHA256.
	Arrays func(T) [][]byte

	drawn sync.Map // by split: func() set[T]
}

// Together makes a Draw from a function that returns all splits, for splits that share generators.
// The function may also draw sets that are not splits of the task, to advance a generator.
func Together[T any](draw func() map[string][]T) func(split string) []T {
	all := sync.OnceValue(draw)
	return func(split string) []T { return all()[split] }
}

type set[T any] struct {
	instances []T
	digest    string
}

// set draws a split. It panics if the split differs from the published split, because the task's
// scores would then be meaningless.
func (s *Sets[T]) set(split Split) set[T] {
	draw, _ := s.drawn.LoadOrStore(split.Name, sync.OnceValue(func() set[T] {
		instances, all := s.Draw(split.Name), sha256.New()
		if len(instances) != split.Instances {
			panic(fmt.Sprintf("%s: %s has %d instances, not %d",
				s.Task, split.Name, len(instances), split.Instances))
		}
		for k := range s.Arrays(instances[0]) {
			one := sha256.New()
			for _, in := range instances {
				array := s.Arrays(in)[k]
				one.Write(array)
				all.Write(array)
			}
			got := hex.EncodeToString(one.Sum(nil))
			if split.SHA256 != nil && got != split.SHA256[k] {
				panic(fmt.Sprintf("%s: array %d of %s has SHA-256 %s, not the published %s",
					s.Task, k, split.Name, got, split.SHA256[k]))
			}
		}
		return set[T]{instances, hex.EncodeToString(all.Sum(nil))}
	}))
	return draw.(func() set[T])()
}

// Set returns the instances of a split.
func (s *Sets[T]) Set(split string) ([]T, error) {
	place := s.Index(split)
	if place < 0 {
		return nil, fmt.Errorf("%s has no split %q", s.Task, split)
	}
	return s.set(s.Splits[place]).instances, nil
}

// Instance returns one instance of a split.
func (s *Sets[T]) Instance(split string, number int) (in T, err error) {
	all, err := s.Set(split)
	if err != nil {
		return in, err
	}
	if number < 0 || number >= len(all) {
		return in, fmt.Errorf("%s has no instance %d in split %s", s.Task, number, split)
	}
	return all[number], nil
}

// Index returns the index of a split in Splits, or -1.
func (s *Sets[T]) Index(split string) int {
	return slices.IndexFunc(s.Splits, func(x Split) bool { return x.Name == split })
}

// Bench returns all splits in the form of bench.Task.
func (s *Sets[T]) Bench() (out []bench.Split) {
	for _, x := range s.Splits {
		limits := bench.Limits{CPU: time.Duration(x.Seconds) * time.Second}
		out = append(out, bench.Split{
			Name: x.Name, Title: x.Title, InDomain: x.Title == s.Splits[0].Title,
			Instances: x.Instances, Limits: limits,
		})
	}
	return out
}

// LikeTraining reports whether a split is scored like the training split: it is the training split
// or the validation split.
func (s *Sets[T]) LikeTraining(split string) bool {
	return split == s.Splits[0].Name || split == record.Val
}

// Digest returns the digest of a split's arrays, one after the other, or "" for an unknown split.
func (s *Sets[T]) Digest(split string) string {
	if place := s.Index(split); place >= 0 {
		return s.set(s.Splits[place]).digest
	}
	return ""
}

// Array returns a float64 array as an argument of a candidate.
func Array(values []float64, shape ...int) bench.Array {
	return bench.Array{DType: "float64", Shape: shape, Data: numpy.Bytes(values)}
}
