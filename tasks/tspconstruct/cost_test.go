package tspconstruct_test

import (
	"encoding/json"
	"os/exec"
	"slices"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	pyenv "github.com/pacebench/pacebench/python/env"
	"github.com/pacebench/pacebench/tasks/tspconstruct"
)

// BenchmarkTraining compares a training evaluation of a cheap program with its unavoidable cost:
// starting and ending a separate process, and the leanest loop in a bare Python process. The
// measurements alternate, and the benchmark reports medians, so that other load does not matter.
func BenchmarkTraining(b *testing.B) {
	const rounds = 20
	p, task, interpreter := tasktest.Workers(b), tspconstruct.Task(), pyenv.ForTest(b).Python
	source := reference(b, "nearest")
	ms := map[string][]float64{}
	measure := func(name string, f func() error) {
		for range rounds {
			start := time.Now()
			must.Do(b, f())
			ms[name] = append(ms[name], time.Since(start).Seconds()*1000)
		}
	}
	training := func(l bench.Loader) func() error {
		return func() error {
			_, err := (&bench.TaskEvaluator{Task: task, Loader: l}).Evaluate(
				b.Context(), program.Program{Source: source})
			return err
		}
	}
	for b.Loop() {
		out, err := exec.Command(interpreter, "testdata/bareloop.py").Output()
		must.Do(b, err)
		var loop struct{ IsIn, Table float64 }
		must.Do(b, json.Unmarshal(out, &loop))
		ms["loop"] = append(ms["loop"], loop.Table)
		ms["isin"] = append(ms["isin"], loop.IsIn)
		measure("start", func() error {
			t, err := p.Load(b.Context(), source, task.Prelude, task.Template.Name, bench.Limits{})
			if err != nil {
				return err
			}
			return t.Close()
		})
		measure("all", training(p))
		measure("calls", training(callByCall{p}))
	}
	median := map[string]float64{}
	for name, v := range ms {
		slices.Sort(v)
		median[name] = v[len(v)/2]
		b.ReportMetric(median[name], name+"-ms")
	}
	b.ReportMetric(median["all"]/(median["start"]+median["loop"]), "ratio")
	b.ReportMetric(0, "ns/op")
}
