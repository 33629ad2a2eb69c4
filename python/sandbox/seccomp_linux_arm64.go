package sandbox

import "golang.org/x/sys/unix"

const auditArch = unix.AUDIT_ARCH_AARCH64

var (
	childCallsArch   = []uint32{unix.SYS_NEWFSTATAT, unix.SYS_GETRLIMIT}
	zygoteCallsArch  = []uint32{}
	refusedCallsArch = []uint32{}
)
