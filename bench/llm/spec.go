package llm

import (
	"errors"
	"fmt"
	"strings"
)

// SpecKind is the part of a model's specification before the colon.
type SpecKind string

// The kinds of models that a command line can name.
const (
	SpecOffline  SpecKind = "offline"  // the embedded model
	SpecOpenAI   SpecKind = "openai"   // openai:MODEL, any OpenAI-compatible server
	SpecReplay   SpecKind = "replay"   // replay:DIR, a cassette or a finished run
	SpecScripted SpecKind = "scripted" // scripted:FILE, fixed answers for tests
)

// A Spec names a model on a command line.
type Spec struct {
	Kind SpecKind
	Arg  string // the model, directory or file; empty for offline
}

// String is the text that ParseSpec reads.
func (s Spec) String() string {
	if s.Arg == "" {
		return string(s.Kind)
	}
	return string(s.Kind) + ":" + s.Arg
}

// ParseSpec reads "offline", "openai:MODEL", "replay:DIR" or "scripted:FILE". What it
// accepts prints as it was read. The error does not repeat the text.
func ParseSpec(text string) (Spec, error) {
	kind, arg, colon := strings.Cut(text, ":")
	s := Spec{SpecKind(kind), arg}
	for _, r := range text {
		if r < ' ' || r == 0x7f {
			return Spec{}, errors.New("a model's name holds no control characters")
		}
	}
	switch {
	case text == "":
		return Spec{}, errors.New("no model is named; want offline, openai:MODEL or replay:DIR")
	case s.Kind == SpecOffline && colon:
		return Spec{}, errors.New("offline takes no argument")
	case s.Kind == SpecOffline:
		return s, nil
	case s.Kind != SpecOpenAI && s.Kind != SpecReplay && s.Kind != SpecScripted:
		if !colon {
			return Spec{}, fmt.Errorf("not a kind of model; want offline, openai:MODEL or replay:DIR (did you mean openai:%s?)", text)
		}
		return Spec{}, fmt.Errorf("%q is not a kind of model; want offline, openai:MODEL or replay:DIR", kind)
	case strings.TrimSpace(arg) == "":
		what := map[SpecKind]string{SpecOpenAI: "model", SpecReplay: "directory", SpecScripted: "file"}[s.Kind]
		return Spec{}, fmt.Errorf("%s: needs a %s after the colon", kind, what)
	case s.Kind == SpecOpenAI && strings.TrimSpace(arg) != arg:
		return Spec{}, errors.New("the model's name begins or ends with a space")
	}
	return s, nil
}
