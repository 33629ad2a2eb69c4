// Package programs has the code that tasks share: it lists the modules that programs may import,
// reads the files next to a task's code, and converts return values.
package programs

import (
	"context"
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
)

// Modules returns the root modules that a candidate may import: NumPy, SciPy and the computing
// parts of the standard library. Other imports are refused before a program runs; the sandbox
// limits what a program can do with these modules. The list has no clock, because a score that
// depends on speed could not be verified.
func Modules() []string {
	return []string{
		"numpy", "scipy",
		"math", "cmath", "random", "statistics", "itertools", "functools", "operator",
		"collections", "heapq", "bisect", "typing", "dataclasses", "copy",
	}
}

// Read reads the embedded files of a task: task.toml with fields of bench.Task by name, reference
// programs in references/NAME.py, and vocabulary.toml. The task's code sets the other fields.
func Read(files embed.FS) (t bench.Task) {
	Decode(files, "task.toml", &t)
	t.Modules = slices.Concat(Modules(), t.Modules)
	t.Vocabulary = Vocabulary(files)
	entries, err := files.ReadDir("references")
	must(err)
	for _, e := range entries {
		text, err := files.ReadFile(path.Join("references", e.Name()))
		must(err)
		name := strings.TrimSuffix(e.Name(), ".py")
		t.References = append(t.References, bench.Reference{Name: name, Source: string(text)})
	}
	return t
}

// Vocabulary reads the offline model's knowledge of a task: the embedded file vocabulary.toml.
func Vocabulary(files embed.FS) *bench.Vocabulary {
	v := new(bench.Vocabulary)
	Decode(files, "vocabulary.toml", v)
	return v
}

// Decode reads an embedded TOML file and panics if a key is unknown.
func Decode(files embed.FS, name string, into any) {
	md, err := toml.DecodeFS(files, name, into)
	if err == nil && len(md.Undecoded()) > 0 {
		err = fmt.Errorf("%s: unknown keys %v", name, md.Undecoded())
	}
	must(err)
}

func must(err error) {
	if err != nil {
		panic(fmt.Sprintf("programs: embedded files: %v", err))
	}
}

// A Scorer scores a candidate on an instance with the random numbers of a replicate.
type Scorer func(
	ctx context.Context, replicate int, in bench.Instance, f bench.Target,
) (float64, error)

// Noisy makes the scores of a task random. The search sees replicate 0. At the end of a run, the
// ten best programs are scored again on further replicates, because the best of a thousand noisy
// scores is too optimistic.
func Noisy(t *bench.Task, replicates int, score Scorer) {
	t.Score = func(ctx context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
		v, err := score(ctx, 0, in, f)
		return bench.Measure{Value: v}, err
	}
	t.Rescore = &bench.Rescore{Top: 10, Replicates: replicates, Score: score}
}

// Kind describes a return value of the wrong kind.
func Kind(v bench.Value) string {
	switch v := v.(type) {
	case bench.Int:
		return "an int"
	case bench.Float:
		return "a float"
	case bench.Bool:
		return "a bool"
	case bench.None:
		return "None"
	case bench.Array:
		return fmt.Sprintf("an array of shape %v", v.Shape)
	case bench.Other:
		return "an object of type " + v.Type
	}
	return fmt.Sprintf("%T", v)
}

// Floats converts an array of real numbers that a candidate returned, or returns a *bench.Fault for
// another shape or type.
func Floats(v bench.Value, shape ...int) ([]float64, error) {
	a, ok := v.(bench.Array)
	switch {
	case !ok:
		return nil, bench.Faultf(bench.Invalid,
			"returned %s, not an array of shape %s", Kind(v), Tuple(shape))
	case !slices.Equal(a.Shape, shape):
		return nil, bench.Faultf(bench.Invalid,
			"returned an array of shape %s, not %s", Tuple(a.Shape), Tuple(shape))
	}
	values, ok := a.Floats()
	if !ok {
		return nil, bench.Faultf(bench.Invalid,
			"returned an array of %s, not of real numbers", a.DType)
	}
	size := 1
	for _, n := range shape {
		size *= n
	}
	if len(values) != size {
		return nil, fmt.Errorf("an array of %s with shape %v cannot have %d bytes",
			a.DType, a.Shape, len(a.Data))
	}
	return values, nil
}

// Tuple writes a shape as Python does.
func Tuple(shape []int) string {
	text := strings.ReplaceAll(strings.Trim(fmt.Sprint(shape), "[]"), " ", ", ")
	if len(shape) == 1 {
		text += ","
	}
	return "(" + text + ")"
}

// Index writes the position of entry i in an array of the given shape as a Python index: "[3, 0]".
func Index(i int, shape []int) string {
	at := make([]string, len(shape))
	for d, n := range slices.Backward(shape) {
		at[d] = fmt.Sprint(i % n)
		i /= n
	}
	return "[" + strings.Join(at, ", ") + "]"
}
