package program_test

import (
	"fmt"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/program"
)

// typical is a target of 40 lines, as a model writes it.
const typical = `def f(current, destination, unvisited, distances):
    """Choose the next node.

    Combines the nearest neighbour with the way home and a look ahead.
    """
    n = len(unvisited)
    if n == 0:
        return destination
    if n == 1:
        return unvisited[0]
    near = distances[current][unvisited]
    home = distances[destination][unvisited]
    progress = 1.0 - n / distances.shape[0]
    spread = np.std(near) + 1e-9
    best, best_score = unvisited[0], np.inf
    for i, node in enumerate(unvisited):
        others = np.delete(unvisited, i)
        ahead = np.sort(distances[node][others])[:3]
        look = ahead.mean() if ahead.size else 0.0
        score = near[i] + 0.35 * look
        score -= 0.1 * (1.0 - progress) * home[i]
        if near[i] < 0.5 * spread:
            score *= 0.9
        elif near[i] > 2.0 * spread:
            score *= 1.1
        isolation = gap(distances, node, others)
        if isolation > spread:
            score -= 0.2 * isolation
        if score < best_score:
            best_score = score
            best = node
    second = np.argsort(near)[:2]
    if len(second) == 2:
        a, b = unvisited[second[0]], unvisited[second[1]]
        if distances[a][b] < 0.25 * spread and best not in (a, b):
            best = a if near[second[0]] <= near[second[1]] else b
    ranked = sorted(unvisited, key=lambda v: distances[current][v])
    if best not in ranked[: max(3, n // 4)]:
        best = ranked[0]
    return best
`

// The first analysis of 40 lines, including the exchange with a plain python3.
func BenchmarkAnalyze(b *testing.B) {
	an := programtest.Analyzer(b)
	i := 0
	for b.Loop() {
		i++
		if _, err := an.Analyze(b.Context(), fmt.Sprintf("%s# %d\n", typical, i)); err != nil {
			b.Fatal(err)
		}
	}
}

// Extracting a program from a new reply: two analyses.
func BenchmarkExtract(b *testing.B) {
	an := programtest.Analyzer(b)
	f := program.Function{Name: "f", Params: []program.Param{
		{Name: "current"}, {Name: "destination"}, {Name: "unvisited"}, {Name: "distances"},
	}}
	opts := program.Extraction{Imports: []string{"import numpy as np"}}
	i := 0
	for b.Loop() {
		i++
		reply := fmt.Sprintf("{Idea.}\n```python\n%s# %d\n```\n", typical, i)
		if _, err := program.Extract(b.Context(), an, reply, f, opts); err != nil {
			b.Fatal(err)
		}
	}
}
