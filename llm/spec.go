package llm

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SpecKind is the part of a model's specification before the colon.
type SpecKind string

// The kinds of models that a command line can name.
const (
	SpecOffline  SpecKind = "offline"  // the embedded model
	SpecOpenAI   SpecKind = "openai"   // openai:MODEL, any OpenAI-compatible server
	SpecReplay   SpecKind = "replay"   // replay:DIR, a cassette, runs or a bundle
	SpecScripted SpecKind = "scripted" // scripted:FILE, fixed answers for tests
)

// argument names the part after the colon; "" means that the kind has no such part.
func (k SpecKind) argument() (what string, known bool) {
	if _, ok := Protocols[k]; ok {
		return "model", true
	}
	what, known = map[SpecKind]string{
		SpecOffline: "", SpecReplay: "directory", SpecScripted: "file",
	}[k]
	return what, known
}

// Known reports whether k is one of the kinds.
func (k SpecKind) Known() bool { _, known := k.argument(); return known }

// A Spec names a model on a command line.
type Spec struct {
	Kind SpecKind
	Arg  string // the model, directory or file; empty for offline
}

// Kinds lists the kinds of models for messages, without scripted, which is for tests.
func Kinds() string {
	kinds := []string{string(SpecOffline)}
	for _, k := range slices.Sorted(maps.Keys(Protocols)) {
		kinds = append(kinds, string(k)+":MODEL")
	}
	return strings.Join(append(kinds, "replay:DIR"), ", ")
}

// ParseSpec reads "offline", "openai:MODEL", "replay:DIR" or "scripted:FILE". The caller adds the
// text to the error.
func ParseSpec(text string) (Spec, error) {
	kind, arg, colon := strings.Cut(text, ":")
	s := Spec{SpecKind(kind), arg}
	if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return Spec{}, errors.New("a model's name may contain no control characters")
	}
	argument, known := s.Kind.argument()
	wanted := "want one of " + Kinds()
	switch {
	case text == "":
		return Spec{}, errors.New("no model is named; " + wanted)
	case !known && !colon:
		return Spec{}, fmt.Errorf("not a kind of model; %s (did you mean openai:%s?)", wanted, text)
	case !known:
		return Spec{}, fmt.Errorf("%q is not a kind of model; %s", kind, wanted)
	case argument == "" && colon:
		return Spec{}, fmt.Errorf("%s takes no argument", kind)
	case argument != "" && strings.TrimSpace(arg) == "":
		return Spec{}, fmt.Errorf("%s: needs a %s after the colon", kind, argument)
	case argument == "model" && strings.TrimSpace(arg) != arg:
		return Spec{}, errors.New("the model's name begins or ends with a space")
	}
	return s, nil
}
