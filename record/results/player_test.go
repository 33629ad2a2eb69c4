package results_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
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

// TestManyRunsAreACassette: a directory and a bundle of runs answer the requests of all runs.
func TestManyRunsAreACassette(t *testing.T) {
	journal := func(text, model string) string {
		return `{"header":{"format":1,"task":"t","method":"m","models":{"":"` + model +
			`"},"seed":1,"budget":1}}` + "\n" + `{"step":{"number":0,"requests":[{` +
			`"request":{"purpose":"algorithm/P1","user":[{"text":"` + text +
			`"}],"temperature":1,"draw":5},"reply":{"text":"` + text + text +
			`","usage":{"prompt":1,"completion":2}}}]}}` + "\n"
	}
	dir := t.TempDir()
	for _, name := range []string{"a", "b"} {
		must.Write(t, filepath.Join(dir, name, "1", "journal.jsonl"), journal(name, "openai:big"))
		must.Write(t, filepath.Join(dir, name, "1", "result.json"), "{}")
	}
	must.Write(t, filepath.Join(dir, "baseline", "1", "result.json"), "{}") // has no journal
	var bundle bytes.Buffer
	must.Do(t, record.WriteBundle(t.Context(), &bundle, "test", map[string]string{
		"a/1": filepath.Join(dir, "a", "1"), "b/1": filepath.Join(dir, "b", "1"),
	}, nil))
	file := filepath.Join(t.TempDir(), "any.name")
	must.Write(t, file, bundle.String())
	for _, path := range []string{dir, file} {
		p, err := results.OpenPlayer(path)
		must.Do(t, err)
		for _, text := range []string{"a", "b"} {
			got, err := p.Complete(t.Context(),
				llm.Request{Purpose: "algorithm/P1", User: llm.Text(text), Temperature: 1, Draw: 5})
			if err != nil || got.Text != text+text || p.Name() != "openai:big" {
				t.Errorf("%s: %s: %q, %v, %s", path, text, got.Text, err, p.Name())
			}
		}
		// The unpacked bundle is gone, so the message names the bundle.
		_, err = p.Complete(t.Context(), llm.Request{Purpose: "algorithm/P1"})
		if err == nil || !strings.HasPrefix(err.Error(), "replay:"+path+": ") {
			t.Error(err)
		}
	}
	p, err := results.OpenPlayer(file + ":b/1")
	must.Do(t, err)
	_, err = p.Complete(t.Context(),
		llm.Request{Purpose: "algorithm/P1", User: llm.Text("a"), Temperature: 1, Draw: 5})
	if !errors.Is(err, llm.ErrNotRecorded) {
		t.Errorf("run b answers for run a: %v", err)
	}
	must.Write(t, filepath.Join(dir, "c", "1", "journal.jsonl"), journal("c", "openai:small"))
	must.Write(t, file, bundle.String()[:bundle.Len()/2])
	for path, want := range map[string]string{
		dir: filepath.Join(dir, "a", "1") + " and " + filepath.Join(dir, "c", "1") +
			" have different models",
		file:          file + ": not a valid bundle of runs",
		file + ":c/1": file + ": not a valid bundle of runs",
	} {
		if _, err := results.OpenPlayer(path); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
