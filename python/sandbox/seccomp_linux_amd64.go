package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_X86_64

// Calls of the x32 interface have the same arch, and numbers that are in no list, so they get
// ENOSYS.
var (
	childCallsArch = []uint32{
		unix.SYS_OPEN, unix.SYS_STAT, unix.SYS_LSTAT, unix.SYS_NEWFSTATAT, unix.SYS_ACCESS,
		unix.SYS_READLINK, unix.SYS_DUP2, unix.SYS_POLL, unix.SYS_SELECT, unix.SYS_TIME,
		unix.SYS_ALARM, unix.SYS_GETRLIMIT,
	}
	zygoteCallsArch  = []uint32{unix.SYS_ARCH_PRCTL, unix.SYS_FORK, unix.SYS_VFORK}
	refusedCallsArch = []uint32{
		unix.SYS_MKDIR, unix.SYS_RMDIR, unix.SYS_UNLINK, unix.SYS_RENAME, unix.SYS_LINK,
		unix.SYS_SYMLINK, unix.SYS_CREAT, unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_MKNOD,
		unix.SYS_UTIME, unix.SYS_IOPERM, unix.SYS_IOPL,
	}
)
