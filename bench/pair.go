package bench

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/record"
)

// A paired run shares the beginning of another run, its base: a variant of the same method with the
// same seed, for example. Both runs draw the same random numbers, so they make the same requests
// until their settings make a difference. Up to that point, the paired run uses the base's replies
// at no cost. Any difference in the results is therefore due to the variant.
//
// A request is shared if the base made the same request to the same model in the step with the same
// number, if all earlier requests of the step were shared, and if every step that was committed
// before this step was proposed made exactly the requests of the base's step. Programs are
// evaluated and charged as in any run. The journal contains the shared requests in full, marked as
// shared, so a replay needs no other file.

// stepsOf returns the steps of a run by number, or nil without a run.
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

// CheckShared compares the requests that a paired run l marks as shared with the requests of its
// base.
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
			if why := notShared(there[n], i, q); why != "" {
				return hint.Add(fmt.Errorf("%w: request %d of step %d is marked as shared with "+
					"%s, which has %s", ErrDiverged, i+1, n, base.Dir, why),
					"restore both runs from copies, or begin again with another --out")
			}
		}
	}
	return nil
}

// notShared describes what the base has instead of the i-th request q of a step, whose record in
// the base is b; "" if it has the same request and reply.
func notShared(b *record.Step, i int, q record.Request) string {
	switch {
	case b == nil:
		return "no such step"
	case i >= len(b.Requests):
		return "no such request"
	case sameRequest(b.Requests[i].Request, q.Request) != nil:
		return "a different request"
	case !reflect.DeepEqual(b.Requests[i].Reply, q.Reply):
		return "a different reply"
	}
	return ""
}

// sharedWholly reports whether a step made exactly the requests of the base's step.
func sharedWholly(base *record.Step, requests []record.Request) bool {
	return base != nil && len(base.Requests) == len(requests) &&
		!slices.ContainsFunc(requests, func(q record.Request) bool { return !q.Shared })
}
