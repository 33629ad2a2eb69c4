package suite

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// An invalid key ends the runs of the model that needs it, and the runs of other models continue.
func TestFailuresReachTheRunsThatWouldMeetThem(t *testing.T) {
	for _, c := range []struct {
		err  error
		want reach
	}{
		{errors.New("the sandbox did not answer"), reachesOne},
		{&llm.Error{Kind: llm.KindRequest}, reachesOne},
		{&llm.Error{Kind: llm.KindKey}, reachesModel},
		{&llm.Error{Kind: llm.KindQuota}, reachesModel},
		{&llm.Error{Kind: llm.KindConnection}, reachesModel},
		{syscall.ENOSPC, reachesAll},
		{context.Canceled, reachesAll},
	} {
		if got := reachOf(fmt.Errorf("task/method/1: step 3: %w", c.err)); got != c.want {
			t.Errorf("%v reaches %d, want %d", c.err, got, c.want)
		}
	}
	one, other := &choice{label: "one"}, &choice{label: "other"}
	var runs []*Planned
	for i, m := range []*choice{one, one, other, one} {
		runs = append(runs,
			&Planned{Model: m, Header: record.Header{Task: "t", Method: "m", Seed: uint64(i)}})
	}
	f := newFailures(runs)
	f.retry = true
	f.add(0, &llm.Error{Kind: llm.KindKey, Message: "invalid key", Advice: "export another one"})
	if _, isNew := f.add(3, &llm.Error{Kind: llm.KindKey, Message: "invalid key"}); isNew {
		t.Error("the second error about the same key counts as new")
	}
	f.add(2, errors.New("a broken disk"))
	if !f.skip(1) || f.skip(2) || !f.skip(3) {
		t.Error("only the runs of the model with the invalid key must not begin")
	}
	lines, err := f.err()
	if got := strings.Join(lines, "|"); got != "t/m/0: invalid key|t/m/2: a broken disk" {
		t.Errorf("listed: %s", got)
	}
	want := "2 of 4 runs failed; " +
		"2 more runs are not finished, because they would fail in the same way"
	if err == nil || err.Error() != want ||
		!strings.HasPrefix(hint.Of(err), "export another one; --retry") {
		t.Errorf("%v, hint %s", err, hint.Of(err))
	}
}
