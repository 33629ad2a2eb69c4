package results_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record/results"
)

func TestAJournalIsACassette(t *testing.T) {
	dir := t.TempDir()
	journal := `{"header":{"format":1,"models":{"":"openai:big","eap":"openai:small"},"seed":1}}
{"note":{"kind":"k","value":1}}
{"step":{"number":0,"requests":[{"request":{"purpose":"algorithm/P1","user":[{"text":"a"}],` +
		`"temperature":1,"draw":5},"reply":{"text":"A","usage":{"prompt":1,"completion":2}}},` +
		`{"request":{"purpose":"eap/E1","user":[{"text":"b"}],"temperature":1,"draw":6},` +
		`"reply":{"text":"B","usage":{"prompt":1,"completion":2}}}]}}
{"step":{"number":1,"evaluations":[{"evaluation":1,"score":-7}]}}
{"step":{"number":2,"requ`
	must.Write(t, filepath.Join(dir, "journal.jsonl"), journal)
	for _, path := range []string{dir, filepath.Join(dir, "journal.jsonl")} {
		p, err := results.OpenPlayer(path)
		must.Do(t, err)
		got, err := p.Complete(t.Context(),
			llm.Request{Purpose: "eap/E1", User: llm.Text("b"), Temperature: 1, Draw: 6})
		must.Do(t, err)
		if want := (llm.Reply{
			Text: "B", Usage: llm.Usage{Prompt: 1, Completion: 2},
		}); got != want || p.Name() != "openai:big+openai:small" {
			t.Errorf("%v, %s", got, p.Name())
		}
		if d := cmp.Diff(map[string]string{"": "openai:big", "eap": "openai:small"},
			p.Models()); d != "" {
			t.Error(d)
		}
	}
}

func TestReplayOfNothing(t *testing.T) {
	dir := t.TempDir()
	if _, err := results.OpenPlayer(dir); !errors.Is(err, llm.ErrNoCassette) ||
		!strings.Contains(err.Error(), "contains neither cassette.jsonl") {
		t.Errorf("an empty directory: %v", err)
	}
	file := filepath.Join(dir, "x.jsonl")
	must.Write(t, file, "{\"a\":1}\n")
	if _, err := results.OpenPlayer(file); !errors.Is(err, llm.ErrNoCassette) {
		t.Errorf("another file: %v", err)
	}
}
