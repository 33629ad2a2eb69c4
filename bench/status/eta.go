package status

import "time"

// enough evaluations of a cell's own speak for its pace; before, its kind's do. Our choice.
const enough = 5

// left is the time until all cells have ended, at the pace seen so far. searchKnown and testsKnown
// say which parts of it could be estimated.
func (b *Board) left(now time.Time) (d time.Duration, searchKnown, testsKnown bool) {
	searchKnown, testsKnown = true, true
	var sum, longest time.Duration
	open := 0
	for _, c := range b.cells {
		if !c.ended.IsZero() {
			continue
		}
		open++
		search, ok := b.searchLeft(c, now)
		searchKnown = searchKnown && ok
		tests, ok := b.testsLeft(c, now)
		testsKnown = testsKnown && ok
		sum += search + tests
		longest = max(longest, search+tests)
	}
	return max(longest, sum/time.Duration(max(1, min(b.atOnce, open)))), searchKnown, testsKnown
}

// searchLeft is the time that a cell's evaluations will take.
func (b *Board) searchLeft(c *Cell, now time.Time) (time.Duration, bool) {
	n := c.Budget - c.progress.Evaluations
	if n <= 0 || !c.searched.IsZero() {
		return 0, true
	}
	for _, like := range []func(*Cell) bool{
		func(o *Cell) bool { return o == c && o.fresh >= enough },
		func(o *Cell) bool { return o.Kind == c.Kind },
		func(*Cell) bool { return true },
	} {
		var busy time.Duration
		fresh := 0
		for _, o := range b.cells {
			if like(o) && o.fresh > 0 {
				busy += o.searching(now)
				fresh += o.fresh
			}
		}
		if fresh > 0 {
			return busy * time.Duration(n) / time.Duration(fresh), true
		}
	}
	return 0, false
}

// searching is how long the cell has searched.
func (c *Cell) searching(now time.Time) time.Duration {
	switch {
	case c.begun.IsZero():
		return 0
	case !c.searched.IsZero():
		return c.searched.Sub(c.begun)
	case !c.ended.IsZero():
		return c.ended.Sub(c.begun)
	}
	return now.Sub(c.begun)
}

// testsLeft is the time that the work after a cell's search will take.
func (b *Board) testsLeft(c *Cell, now time.Time) (time.Duration, bool) {
	if !c.Tests {
		return 0, true
	}
	if !c.searched.IsZero() {
		return c.stagesLeft(now)
	}
	var took time.Duration
	n := 0
	for _, o := range b.cells {
		if o.Kind != c.Kind || o.searched.IsZero() {
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

// stagesLeft is the time until the stages end: those under way run side by side, the others after
// them. It is false when some have a pace not known yet.
func (c *Cell) stagesLeft(now time.Time) (time.Duration, bool) {
	var side, after time.Duration
	all := true
	for _, s := range c.stages {
		n := time.Duration(s.total - s.done)
		pace, known := c.b.pace[c.Kind+" "+s.name]
		switch {
		case n <= 0:
		case s.done > 0:
			// What the present instance has used of its time is not left.
			side = max(side, n*s.last.Sub(s.begun)/time.Duration(s.done)-now.Sub(s.last))
		case known:
			after += n * pace
		default:
			all = false
		}
	}
	return max(0, side) + after, all
}
