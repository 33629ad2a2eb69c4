package status

import "time"

// enough is the number of evaluations from which a run's own pace predicts the rest of the run.
// Before that, the pace of all runs of its kind does, because the times of a few evaluations vary
// too much.
const enough = 5

// left returns the time until all runs have ended, at the present pace. searchKnown and testsKnown
// report which parts of the estimate are known.
func (b *Board) left(now time.Time) (d time.Duration, searchKnown, testsKnown bool) {
	searchKnown, testsKnown = true, true
	var sum, longest time.Duration
	open := 0
	for _, l := range b.lines {
		if !l.ended.IsZero() {
			continue
		}
		open++
		search, ok := b.searchLeft(l, now)
		searchKnown = searchKnown && ok
		tests, ok := b.testsLeft(l, now)
		testsKnown = testsKnown && ok
		sum += search + tests
		longest = max(longest, search+tests)
	}
	return max(longest, sum/time.Duration(max(1, min(b.atOnce, open)))), searchKnown, testsKnown
}

// searchLeft returns the time for the rest of a run's evaluations.
func (b *Board) searchLeft(l *Line, now time.Time) (time.Duration, bool) {
	n := l.Budget - l.progress.Evaluations
	if n <= 0 || !l.searched.IsZero() {
		return 0, true
	}
	for _, like := range []func(*Line) bool{
		func(o *Line) bool { return o == l && o.computed >= enough },
		func(o *Line) bool { return o.Kind == l.Kind },
		func(*Line) bool { return true },
	} {
		var busy time.Duration
		computed := 0
		for _, o := range b.lines {
			if like(o) && o.computed > 0 {
				busy += o.searching(now)
				computed += o.computed
			}
		}
		if computed > 0 {
			return busy * time.Duration(n) / time.Duration(computed), true
		}
	}
	return 0, false
}

// searching returns how long the run has searched.
func (l *Line) searching(now time.Time) time.Duration {
	switch {
	case l.begun.IsZero():
		return 0
	case !l.searched.IsZero():
		return l.searched.Sub(l.begun)
	case !l.ended.IsZero():
		return l.ended.Sub(l.begun)
	}
	return now.Sub(l.begun)
}

// testsLeft returns the time for the work after a run's search.
func (b *Board) testsLeft(l *Line, now time.Time) (time.Duration, bool) {
	if !l.Tests {
		return 0, true
	}
	if !l.searched.IsZero() {
		return l.stagesLeft(now)
	}
	var took time.Duration
	n := 0
	for _, o := range b.lines {
		if o.Kind != l.Kind || o.searched.IsZero() {
			continue
		}
		if !o.ended.IsZero() {
			took += o.ended.Sub(o.searched)
		} else if left, ok := o.stagesLeft(now); ok {
			took += now.Sub(o.searched) + left
		} else {
			continue
		}
		n++
	}
	return took / time.Duration(max(1, n)), n > 0
}

// stagesLeft returns the time until the stages end. Stages that have begun run concurrently, and
// the other stages follow. stagesLeft returns false if the pace of a stage is unknown.
func (l *Line) stagesLeft(now time.Time) (time.Duration, bool) {
	var side, after time.Duration
	all := true
	for _, s := range l.stages {
		n := time.Duration(s.total - s.done)
		pace, known := l.b.pace[l.Kind+" "+s.name]
		switch {
		case n <= 0:
		case s.done > 0:
			// The present instance has already used a part of its time.
			side = max(side, n*s.last.Sub(s.begun)/time.Duration(s.done)-now.Sub(s.last))
		case known:
			after += n * pace
		default:
			all = false
		}
	}
	return max(0, side) + after, all
}
