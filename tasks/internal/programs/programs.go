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

// Files are the embedded files of a task.
type Files struct {
	References []bench.Reference // references/NAME.py
	Vocabulary *bench.Vocabulary // vocabulary.toml: what the offline model knows of the task
	Texts                        // texts.toml
}

// Texts are what a model is told of a task, and under Sourced what its sources tell.
type Texts struct {
	bench.Texts
	Sourced bench.Texts
}

// Read reads the files of a task.
func Read(files embed.FS) (f Files) {
	f.Vocabulary = new(bench.Vocabulary)
	decode(files, "vocabulary.toml", f.Vocabulary)
	decode(files, "texts.toml", &f.Texts)
	entries, err := files.ReadDir("references")
	must(err)
	for _, e := range entries {
		text, err := files.ReadFile(path.Join("references", e.Name()))
		must(err)
		name := strings.TrimSuffix(e.Name(), ".py")
		f.References = append(f.References, bench.Reference{Name: name, Source: string(text)})
	}
	f.References = slices.Clip(f.References) // shared: whoever appends gets a copy
	return f
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
