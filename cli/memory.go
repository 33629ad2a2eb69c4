package cli

import (
	"fmt"
	"syscall"

	"github.com/pacebench/pacebench/internal/hint"
)

// leastAddresses is the address space that a command needs, in bytes. Go reserves 0.6 GB, and each
// of its threads has a stack of 8 MB; with less than 1.5 GB a run aborts in the middle.
const leastAddresses = 2_000_000_000

// enoughAddresses returns an error if ulimit -v leaves too little address space for a command.
// Without this check, Go's runtime would abort with a page of registers.
func enoughAddresses() error {
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_AS, &limit); err != nil ||
		limit.Cur >= leastAddresses {
		return nil // also if the limit is unknown
	}
	return hint.Add(fmt.Errorf(
		"ulimit -v allows %s of address space, and pacebench needs %s",
		inBytes(int64(limit.Cur)), inBytes(leastAddresses)),
		"raise it: ulimit -v unlimited, or a larger memory limit in the batch system")
}
