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

// arguments are all kinds, with what stands behind the colon.
var arguments = map[SpecKind]string{
	SpecOffline: "", SpecOpenAI: "model", SpecReplay: "directory", SpecScripted: "file",
}

// Known reports whether k is one of the kinds.
func (k SpecKind) Known() bool { _, known := arguments[k]; return known }

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

// wanted are the kinds for people; scripted is for tests.
const wanted = "want offline, openai:MODEL or replay:DIR"

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
		return Spec{}, errors.New("no model is named; " + wanted)
	case !s.Kind.Known() && !colon:
		return Spec{}, fmt.Errorf("not a kind of model; %s (did you mean openai:%s?)", wanted, text)
	case !s.Kind.Known():
		return Spec{}, fmt.Errorf("%q is not a kind of model; %s", kind, wanted)
	case arguments[s.Kind] == "" && colon:
		return Spec{}, fmt.Errorf("%s takes no argument", kind)
	case arguments[s.Kind] != "" && strings.TrimSpace(arg) == "":
		return Spec{}, fmt.Errorf("%s: needs a %s after the colon", kind, arguments[s.Kind])
	case s.Kind == SpecOpenAI && strings.TrimSpace(arg) != arg:
		return Spec{}, errors.New("the model's name begins or ends with a space")
	}
	return s, nil
}
