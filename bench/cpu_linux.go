package bench

import (
	"time"

	"golang.org/x/sys/unix"
)

// threadCPU returns the CPU time that the calling thread has used so far.
func threadCPU() time.Duration {
	var t unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t) != nil {
		return 0
	}
	return time.Duration(t.Nano())
}
