package journal

import (
	"os"

	"golang.org/x/sys/unix"
)

// datasync flushes the data and the length of a file, but not its times, at half the cost of fsync.
func datasync(f *os.File) error { return unix.Fdatasync(int(f.Fd())) }
