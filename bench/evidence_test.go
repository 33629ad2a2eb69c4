package bench_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
)

// viewer evaluates every program twice, often concurrently, and shows the evidence to the model.
type viewer struct{ t *testing.T }

func (viewer) Name() string                 { return "viewer" }
func (viewer) MarshalJSON() ([]byte, error) { return []byte("{}"), nil }
func (viewer) Observes() bool               { return true }

func (v viewer) Run(ctx context.Context, s *bench.Search) error {
	n := 0
	return drain(bench.Stream(ctx, s, 4, func() bench.Job[bool] {
		source := "program " + string(rune('a'+n/2))
		n++
		return func(ctx context.Context, st *bench.Step) (bool, error) {
			out, err := st.Evaluate(ctx, program.Program{Source: source})
			if err != nil {
				return false, err
			}
			picture, text := out.Evidence[0], out.Evidence[1]
			if want := "saw " + source; string(text.Data) != want {
				v.t.Errorf("the text of %s is %q, want %q", source, text.Data, want)
			}
			_, err = st.Ask(ctx, llm.Request{Purpose: "algorithm/look", User: []llm.Part{
				{Text: string(text.Data)},
				{Image: &llm.Image{
					MediaType: picture.MediaType, Digest: picture.Digest, Data: picture.Data,
				}},
			}})
			return true, err
		}
	}))
}

// TestEvidenceSurvives resumes and replays runs whose method reads evidence.
func TestEvidenceSurvives(t *testing.T) {
	blind := 0
	model := llm.NewScripted(func(r llm.Request) string {
		if len(r.User[1].Image.Data) == 0 {
			blind++
		}
		return "I see"
	})
	c := benchtest.Config{
		Model:  model,
		Budget: 16,
		Evaluator: &benchtest.Evaluator{Evidence: func(source string) []record.Blob {
			return append(
				benchtest.Picture(source),
				benchtest.Blob("text/plain", []byte("saw "+source)),
			)
		}},
	}
	c.Dir = filepath.Join(t.TempDir(), "run")
	benchtest.Run(t, viewer{t}, c)
	want := journalOf(t, c.Dir)
	if !strings.Contains(string(want), "saw program") || strings.Contains(string(want), "PNG") {
		t.Error("the journal has to hold texts of prompts, and no bytes of pictures")
	}
	// A resumed run takes the outcomes of repeated programs from the journal, and writes the same
	// bytes.
	lines := strings.SplitAfter(string(want), "\n")
	for _, kept := range []int{2, 5, 10} {
		replace(t, c.Dir, []byte(strings.Join(lines[:kept], "")))
		benchtest.Run(t, viewer{t}, c)
		if got := journalOf(t, c.Dir); string(got) != string(want) {
			t.Errorf("resumed after %d lines: the journal differs", kept)
		}
	}
	if blind > 0 {
		t.Errorf("%d pictures came without bytes", blind)
	}

	// A lost or altered blob ends a resumed run before its first request.
	run := benchtest.Prepare(t, viewer{t}, c)
	picture := benchtest.Picture("program a")[0].Digest
	path := filepath.Join(c.Dir, "blobs", picture)
	asked := len(model.Requests())
	replace(t, c.Dir, []byte(strings.Join(lines[:5], "")))
	for _, data := range []string{"", "altered"} {
		must.Do(t, os.Remove(path))
		if data != "" {
			must.Write(t, path, data)
		}
		_, err := run.Execute(t.Context(), c.Dir)
		if err == nil || !strings.Contains(err.Error(), picture) || hint.Of(err) == "" ||
			len(model.Requests()) > asked {
			t.Errorf("Execute with a blob %q = %v after %d requests, want an error that names it",
				data, err, len(model.Requests())-asked)
		}
		if data == "" {
			must.Write(t, path, "")
		}
	}

	// A replay needs the texts, because prompts contain them, but not the pictures. CheckFiles
	// checks the pictures that exist.
	replace(t, c.Dir, want)
	if _, err := run.Verify(t.Context(), c.Dir); err != nil {
		t.Errorf("Verify without a picture: %v", err)
	}
	_, err := bench.Finish(t.Context(), c.Dir, noisy(false), nil)
	must.Do(t, err)
	l, err := record.Load(c.Dir)
	must.Do(t, err)
	if err := l.CheckFiles(); err == nil || !strings.Contains(err.Error(), picture) {
		t.Errorf("CheckFiles of an altered picture = %v, want an error that names it", err)
	}
	must.Do(t, os.Remove(path))
	if err := l.CheckFiles(); err != nil || l.MissingPictures() != 1 {
		t.Errorf("CheckFiles without a picture = %v, %d missing", err, l.MissingPictures())
	}
	must.Write(t, path, benchtest.Picture("program a")[0].Data)

	// Pack removes the pictures and keeps the texts.
	must.Do(t, record.Pack(c.Dir, false))
	if _, err := run.Verify(t.Context(), c.Dir); err != nil || l.MissingPictures() == 0 {
		t.Errorf("Verify without pictures = %v, %d missing", err, l.MissingPictures())
	}
	if err := l.CheckFiles(); err != nil {
		t.Errorf("CheckFiles without pictures = %v", err)
	}
	digest := benchtest.Blob("text/plain", []byte("saw program a")).Digest
	must.Do(t, os.Remove(filepath.Join(c.Dir, "blobs", digest)))
	if _, err := run.Verify(t.Context(), c.Dir); err == nil {
		t.Error("Verify without a text, want an error")
	}
}
