package sandbox

import (
	"fmt"
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file calls Landlock directly, without go-landlock: that package restricts all threads of a
// process, for which it needs /proc/PID/task and, below ABI 8, a C library. The launcher restricts
// only the thread that becomes Python, and its file tree has no /proc.

// landlockABI returns the version of the kernel's Landlock interface; 0 without Landlock.
func landlockABI() int {
	v, _, errno := unix.RawSyscall(
		unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, unix.LANDLOCK_CREATE_RULESET_VERSION)
	if errno != 0 {
		return 0
	}
	return int(v)
}

const (
	readFile  = unix.LANDLOCK_ACCESS_FS_READ_FILE
	readBelow = readFile | unix.LANDLOCK_ACCESS_FS_READ_DIR
	runFile   = readFile | unix.LANDLOCK_ACCESS_FS_EXECUTE
)

// landlockRights returns all rights that an ABI version knows, up to version 7. A ruleset with them
// denies everything that no rule allows.
func landlockRights(abi int) unix.LandlockRulesetAttr {
	attr := unix.LandlockRulesetAttr{Handled_access_fs: 1<<13 - 1} // EXECUTE … MAKE_SYM
	if abi >= 2 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_REFER
	}
	if abi >= 3 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_TRUNCATE
	}
	if abi >= 4 {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP |
			unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= 5 {
		attr.Handled_access_fs |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= 6 {
		attr.Scoped = unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET | unix.LANDLOCK_SCOPE_SIGNAL
	}
	return attr
}

// restrictFiles lets the calling thread read what is below dirs, read files and execute programs,
// and nothing else. It needs no_new_privs.
func restrictFiles(abi int, dirs, files, programs []string) error {
	attr := landlockRights(abi)
	// An older version accepts the fields that it does not know, because they are zero.
	fd, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_CREATE_RULESET,
		uintptr(unsafe.Pointer(&attr)), unsafe.Sizeof(attr), 0)
	if errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	defer unix.Close(int(fd))
	for _, rule := range []struct {
		paths  []string
		access uint64
	}{{dirs, readBelow}, {files, readFile}, {programs, runFile}} {
		for _, path := range rule.paths {
			if err := allowPath(int(fd), path, rule.access); err != nil {
				return fmt.Errorf("landlock: %w", err)
			}
		}
	}
	if _, _, errno := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, fd, 0, 0); errno != 0 {
		return fmt.Errorf("landlock: %w", errno)
	}
	return nil
}

func allowPath(ruleset int, path string, access uint64) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		return &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer unix.Close(fd)
	rule := unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}
	_, _, errno := unix.RawSyscall6(unix.SYS_LANDLOCK_ADD_RULE, uintptr(ruleset),
		unix.LANDLOCK_RULE_PATH_BENEATH, uintptr(unsafe.Pointer(&rule)), 0, 0, 0)
	if errno != 0 {
		return &os.PathError{Op: "allow", Path: path, Err: errno}
	}
	return nil
}
