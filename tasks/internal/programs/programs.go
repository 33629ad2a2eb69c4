// Package programs is what all tasks say alike of programs: what they may import, what lies in
// files next to a task's code, and what a candidate returned.
package programs

import (
	"embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/pacebench/pacebench/bench"
)

// Modules are the root modules that a candidate may import: NumPy, SciPy and
// the parts of the standard library that compute. What is missing here is refused before a
// program runs; the sandbox bounds what a program can do with the rest. No clock is
// among them: a score that depends on speed could not be verified.
func Modules() []string {
	return []string{
		"numpy", "scipy",
		"math", "cmath", "random", "statistics", "itertools", "functools", "operator",
		"collections", "heapq", "bisect", "typing", "dataclasses", "copy",
	}
}

// Read reads the embedded files of a task: task.toml, which has its fields by name; references in
// references/NAME.py; and vocabulary.toml. A task completes what they leave open.
func Read(files embed.FS) (t bench.Task) {
	decode(files, "task.toml", &t)
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

// Vocabulary is what the offline model knows of a task: the embedded file vocabulary.toml.
func Vocabulary(files embed.FS) *bench.Vocabulary {
	v := new(bench.Vocabulary)
	decode(files, "vocabulary.toml", v)
	return v
}

func decode(files embed.FS, name string, into any) {
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

// Kind says what a candidate returned in place of what was asked for.
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
