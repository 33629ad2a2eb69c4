package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync flushes data and length, not times: half the cost of fsync.
func datasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }
