package bench_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// TestWhatCostsNothingEnds checks that a search that continues without cost fails, fails in the
// same way when it is resumed, and keeps its journal small.
func TestWhatCostsNothingEnds(t *testing.T) {
	most := *bench.FreeBytes
	*bench.FreeBytes = 2 << 20
	defer func() { *bench.FreeBytes = most }()
	ask := func(ctx context.Context, st *bench.Step) (llm.Reply, error) {
		return st.Ask(ctx, llm.Request{Purpose: "algorithm/a", User: llm.Text("x")})
	}
	evaluate := func(source string) bench.Job[bench.Outcome] {
		return func(ctx context.Context, st *bench.Step) (bench.Outcome, error) {
			return st.Evaluate(ctx, program.Program{Source: source})
		}
	}
	nothing := func(context.Context, *bench.Step) (int, error) { return 0, nil }
	for name, again := range map[string]func(ctx context.Context, s *bench.Search, i int) error{
		"consult when all is spent": func(ctx context.Context, s *bench.Search, _ int) error {
			_, err := bench.Consult(ctx, s, ask)
			return err
		},
		"do when all is spent": func(ctx context.Context, s *bench.Search, i int) error {
			_, err := bench.Do(ctx, s, evaluate(fmt.Sprint("def ", i)))
			return err
		},
		"stream nothing": func(ctx context.Context, s *bench.Search, _ int) error {
			return drain(bench.Stream(ctx, s, 1, func() bench.Job[int] { return nil }))
		},
		"evaluate what is no program": func(ctx context.Context, s *bench.Search, i int) error {
			_, err := bench.Do(ctx, s, evaluate(fmt.Sprint("no program ", i)))
			return err
		},
		"note": func(ctx context.Context, s *bench.Search, _ int) error {
			text := `"` + strings.Repeat("a", 1<<20) + `"`
			s.Note(note.Remark{Name: "long", Value: []byte(text)})
			_, err := bench.Do(ctx, s, nothing)
			return err
		},
		"ask in one step": func(ctx context.Context, s *bench.Search, _ int) error {
			_, err := bench.Consult(ctx, s, func(ctx context.Context, st *bench.Step) (int, error) {
				for {
					if _, err := ask(ctx, st); err != nil {
						return 0, err
					}
				}
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			forever := funcMethod(func(ctx context.Context, s *bench.Search) error {
				for i := 0; ; i++ {
					if err := again(ctx, s, i); err != nil && !errors.Is(err, bench.ErrSpent) {
						return err
					}
				}
			})
			run := benchtest.Prepare(t, forever, benchtest.Config{
				Budget: 2,
				Model:  llm.NewScripted(func(llm.Request) string { return "x" }),
				Evaluator: &benchtest.Evaluator{Score: func(source string) record.Outcome {
					if strings.HasPrefix(source, "no program") {
						return record.Outcome{Fault: &record.Fault{Kind: record.Syntax}}
					}
					return record.Outcome{Score: -1, Values: []float64{1}}
				}},
			})
			dir := t.TempDir()
			_, err := run.Execute(t.Context(), dir)
			if ended := errors.Is(err, bench.ErrEndless); hint.Of(err) == "" ||
				!ended && !strings.Contains(err.Error(), "makes more than") {
				t.Fatalf("the search ends with %v, hint %q", err, hint.Of(err))
			}
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 300 {
				t.Errorf("the error is not one short line: %q", err)
			}
			info, serr := os.Stat(filepath.Join(dir, record.JournalFile))
			if serr == nil && info.Size() > 4<<20 {
				t.Errorf("the journal has %d bytes", info.Size())
			}
			if _, now := run.Execute(t.Context(), dir); now == nil || now.Error() != err.Error() {
				t.Errorf("the resumed run ends with %v, the first run with %v", now, err)
			}
		})
	}
}
