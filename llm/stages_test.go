package llm

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// TestWatchSeesEveryStage watches three consecutive calls through a limit and a retry.
func TestWatchSeesEveryStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := &Error{
			Kind: KindRate, Host: "h:1", Status: 429, Message: "busy", RetryAfter: 7 * time.Second,
		}
		m := failing(busy, errors.New("strange"), nil, nil,
			&Error{Kind: KindKey, Status: 401, Message: "no"})
		var got []string
		lim := NewLimiter(Limits{RequestsPerMinute: 6000}, "").Limit(Retry(m, RetryConfig{}))
		w := Watch(lim, func(e Event) {
			line := fmt.Sprintf("%d %s #%d", e.Call, e.Stage, e.Attempt)
			if e.Stage == StageWaiting {
				line += fmt.Sprintf(" %v", e.Wait > 0)
			}
			got = append(got, strings.TrimSpace(line+" "+e.Reason()))
		})
		for range 3 {
			_, _ = w.Complete(t.Context(), Request{Purpose: "eap/E1"})
		}
		want := strings.Join([]string{
			"1 queued #0", "1 sent #1", "1 waiting #1 true 429 from h:1",
			"1 sent #2",
			"1 waiting #2 true strange", "1 sent #3", "1 done #3",
			"2 queued #0", "2 sent #1", "2 done #1",
			"3 queued #0", "3 sent #1", "3 done #1 401",
		}, "\n")
		if all := strings.Join(got, "\n"); all != want {
			t.Errorf("got\n%s\nwant\n%s", all, want)
		}
	})
}
