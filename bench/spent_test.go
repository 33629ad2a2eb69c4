package bench

import (
	"testing"
	"time"
)

// A limited is a Target that has used cpu of CPU time; its limit is 10 s.
type limited struct {
	Target
	cpu time.Duration
}

func (l limited) CPU() time.Duration   { return l.cpu }
func (l limited) Limit() time.Duration { return 10 * time.Second }

func TestShareOfTheLimit(t *testing.T) {
	late := &Fault{Kind: Timeout}
	ended := func(n int, last *Fault) []part { return append(make([]part, n), part{fault: last}) }
	for _, c := range []struct {
		name  string
		cpu   time.Duration
		parts []part
		want  float64
	}{
		{"half of it", 5 * time.Second, make([]part, 16), 0.5},
		{"an exception", 9 * time.Second, ended(3, &Fault{Kind: Raised}), 0.9},
		{"met in the last of 16", 11 * time.Second, ended(15, late), 16. / 15},
		{"met after a quarter", 11 * time.Second, ended(4, late), 4},
		{"met in the first, which may never end", 11 * time.Second, ended(0, late), 0},
	} {
		var d evaluation
		d.spend(Spent{Share: shareOfLimit(limited{cpu: c.cpu}, c.parts, 16)})
		if d.spent.Share != c.want {
			t.Errorf("%s: share %g of the limit, want %g", c.name, d.spent.Share, c.want)
		}
		// Another process of the evaluation does not lower the share.
		d.spend(Spent{Share: shareOfLimit(limited{cpu: time.Second}, make([]part, 1), 1)})
		if d.spent.Share < c.want {
			t.Errorf("%s: share %g after a shorter one", c.name, d.spent.Share)
		}
	}
}
