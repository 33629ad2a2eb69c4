package llm

import (
	"context"
	"errors"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/golden"
)

func TestScriptedRemembersAndAnswers(t *testing.T) {
	m := NewScripted(func(r Request) string { return "re: " + r.User[0].Text })
	ask := Request{Purpose: "algorithm/P1", User: Text("four"), Draw: 7}
	got, err := m.Complete(t.Context(), ask)
	if err != nil {
		t.Fatal(err)
	}
	want := Reply{Text: "re: four", Model: "scripted", Finish: "stop",
		Usage: Usage{Prompt: 1, Completion: 2, Estimated: true}}
	golden.Same(t, "reply", want, got)
	golden.Same(t, "requests", []Request{ask}, m.Requests())
}

// scriptedReplies answers the n-th request with the n-th text.
func scriptedReplies(texts ...string) *Scripted {
	n := 0
	return NewScripted(func(Request) string { n++; return texts[n-1] })
}

func TestScriptedEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := scriptedReplies("x").Complete(ctx, Request{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
