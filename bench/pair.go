package bench

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
)

// A paired run shares the beginning of another one, its base: a variant of the same method with the
// same seed, for instance. Both have the base's draws, so they ask the same until their settings
// part them. Up to there the base's replies answer, at no cost, and what differs in the end is the
// variant's doing.
//
// A request is shared when the base's step of the same number asked the same of the same model, all
// requests before it in the step were shared, and no step was committed yet that asked otherwise.
// Programs are evaluated and charged as in any run. The journal holds the shared requests in full,
// marked: it needs no other file to be replayed.

// stepsOf is the steps of a run by number; nil without a run.
func stepsOf(l *record.Loaded) map[int]*record.Step {
	if l == nil {
		return nil
	}
	steps := map[int]*record.Step{}
	for s := range l.Steps() {
		steps[s.Number] = s
	}
	return steps
}

// CheckShared compares the requests that a paired run l marks as shared with its base's.
func CheckShared(l, base *record.Loaded) error { return checkShared(stepsOf(l), base) }

func checkShared(steps map[int]*record.Step, base *record.Loaded) error {
	if base == nil {
		return nil
	}
	there := stepsOf(base)
	for _, n := range slices.Sorted(maps.Keys(steps)) {
		for i, q := range steps[n].Requests {
			if !q.Shared {
				continue
			}
			b := there[n]
			if b == nil || i >= len(b.Requests) ||
				sameRequest(b.Requests[i].Request, q.Request) != nil ||
				!reflect.DeepEqual(b.Requests[i].Reply, q.Reply) {
				return hint.Add(fmt.Errorf("%w: request %d of step %d is marked as shared with "+
					"%s, which has another one", ErrDiverged, i+1, n, base.Dir),
					"restore the run that this one is paired with, or use another --out")
			}
		}
	}
	return nil
}

// sharedWholly reports whether a step asked all that the base's step asked, and no more.
func sharedWholly(base *record.Step, requests []record.Request) bool {
	return base != nil && len(base.Requests) == len(requests) &&
		!slices.ContainsFunc(requests, func(q record.Request) bool { return !q.Shared })
}
