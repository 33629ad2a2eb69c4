package sandbox

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Two filters confine a candidate. The launcher installs the first, which allows what Python needs
// to start and to fork. Every child adds the second, which takes away what only the zygote needs. A
// call in none of the lists does not exist (ENOSYS, so that the C library falls back). A call that
// a candidate is likely to try is refused (EPERM), so that its error message says so.
//
// The lists of calls that only one architecture has are in seccomp_linux_GOARCH.go.

// childCalls are the system calls that a candidate's process may make.
var childCalls = []uint32{
	unix.SYS_READ, unix.SYS_WRITE, unix.SYS_READV, unix.SYS_WRITEV, unix.SYS_PREAD64,
	unix.SYS_LSEEK, unix.SYS_CLOSE, unix.SYS_CLOSE_RANGE, unix.SYS_DUP, unix.SYS_DUP3,
	// Landlock limits these calls to some files.
	unix.SYS_OPENAT, unix.SYS_FSTAT, unix.SYS_STATX, unix.SYS_FACCESSAT, unix.SYS_FACCESSAT2,
	unix.SYS_READLINKAT, unix.SYS_GETDENTS64, unix.SYS_GETCWD,
	// RLIMIT_AS limits the memory.
	unix.SYS_MMAP, unix.SYS_MUNMAP, unix.SYS_MREMAP, unix.SYS_MPROTECT, unix.SYS_BRK,
	unix.SYS_MADVISE, unix.SYS_RT_SIGACTION, unix.SYS_RT_SIGPROCMASK, unix.SYS_RT_SIGRETURN,
	unix.SYS_SIGALTSTACK, unix.SYS_SETITIMER, unix.SYS_GETITIMER,
	unix.SYS_FUTEX, unix.SYS_SCHED_YIELD, unix.SYS_SCHED_GETAFFINITY, unix.SYS_GETCPU,
	unix.SYS_NANOSLEEP, unix.SYS_CLOCK_NANOSLEEP, unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES,
	unix.SYS_GETTIMEOFDAY, unix.SYS_TIMES, unix.SYS_GETRUSAGE, unix.SYS_PPOLL, unix.SYS_PSELECT6,
	unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID, unix.SYS_GETUID, unix.SYS_GETEUID,
	unix.SYS_GETGID, unix.SYS_GETEGID, unix.SYS_UNAME, unix.SYS_SYSINFO, unix.SYS_GETRANDOM,
	unix.SYS_EXIT, unix.SYS_EXIT_GROUP, unix.SYS_RESTART_SYSCALL,
}

// zygoteCalls are the additional calls for starting Python and forking.
var zygoteCalls = []uint32{
	unix.SYS_EXECVE, unix.SYS_CLONE, unix.SYS_WAIT4, unix.SYS_PIDFD_OPEN,
	unix.SYS_SENDMSG, unix.SYS_RECVMSG, unix.SYS_SENDTO, unix.SYS_RECVFROM,
	unix.SYS_GETSOCKOPT, unix.SYS_GETSOCKNAME,
	unix.SYS_PRCTL, unix.SYS_SECCOMP, unix.SYS_SETRLIMIT, unix.SYS_PIPE2,
	unix.SYS_SET_TID_ADDRESS, unix.SYS_SET_ROBUST_LIST, unix.SYS_RSEQ,
}

// refusedCalls are never allowed, and are answered with EPERM.
var refusedCalls = []uint32{
	unix.SYS_SOCKET, unix.SYS_SOCKETPAIR, unix.SYS_CONNECT, unix.SYS_BIND, unix.SYS_LISTEN,
	unix.SYS_ACCEPT, unix.SYS_ACCEPT4, unix.SYS_SHUTDOWN, unix.SYS_SETSOCKOPT,
	unix.SYS_KILL, unix.SYS_TKILL, unix.SYS_TGKILL, unix.SYS_PIDFD_SEND_SIGNAL,
	unix.SYS_PIDFD_GETFD, unix.SYS_PTRACE, unix.SYS_PROCESS_VM_READV,
	unix.SYS_PROCESS_VM_WRITEV, unix.SYS_EXECVEAT,
	unix.SYS_UNSHARE, unix.SYS_SETNS, unix.SYS_MOUNT, unix.SYS_UMOUNT2, unix.SYS_PIVOT_ROOT,
	unix.SYS_CHROOT,
	unix.SYS_SETUID, unix.SYS_SETGID, unix.SYS_SETRESUID, unix.SYS_SETRESGID,
	unix.SYS_SETGROUPS, unix.SYS_CAPSET,
	unix.SYS_MKDIRAT, unix.SYS_UNLINKAT, unix.SYS_RENAMEAT, unix.SYS_RENAMEAT2,
	unix.SYS_LINKAT, unix.SYS_SYMLINKAT, unix.SYS_MKNODAT, unix.SYS_FCHMOD, unix.SYS_FCHMODAT,
	unix.SYS_FCHOWN, unix.SYS_FCHOWNAT, unix.SYS_UTIMENSAT,
	unix.SYS_TRUNCATE, unix.SYS_FTRUNCATE, unix.SYS_FALLOCATE, unix.SYS_CHDIR, unix.SYS_FCHDIR,
	unix.SYS_MEMFD_CREATE, unix.SYS_SHMGET, unix.SYS_SHMAT, unix.SYS_MQ_OPEN, unix.SYS_MLOCK,
	unix.SYS_SETPRIORITY, unix.SYS_SCHED_SETAFFINITY, unix.SYS_SCHED_SETSCHEDULER,
	unix.SYS_BPF, unix.SYS_PERF_EVENT_OPEN, unix.SYS_IO_URING_SETUP, unix.SYS_USERFAULTFD,
	unix.SYS_KEYCTL, unix.SYS_ADD_KEY,
}

// fcntlCommands leave out F_SETOWN and F_SETSIG (signals to other processes) and F_SETPIPE_SZ.
var fcntlCommands = []uint32{
	unix.F_DUPFD, unix.F_GETFD, unix.F_SETFD, unix.F_GETFL, unix.F_SETFL, unix.F_DUPFD_CLOEXEC,
}

// ioctlCommands are the commands that Python uses when it opens a descriptor: is it a terminal, how
// many bytes can be read, close on exec.
var ioctlCommands = []uint32{unix.TCGETS, unix.TIOCINQ, ioctlCloseOnExec, ioctlKeepOnExec}

// FIOCLEX and FIONCLEX, the same on both architectures.
const (
	ioctlCloseOnExec = 0x5451
	ioctlKeepOnExec  = 0x5450
)

// personalityQuery is the argument with which personality(2) only returns the current value.
const personalityQuery = 0xFFFFFFFF

// threadFlags are the flags of clone that make something other than a fork.
const threadFlags = unix.CLONE_VM | unix.CLONE_THREAD | unix.CLONE_SIGHAND | unix.CLONE_FILES |
	unix.CLONE_FS | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET | unix.CLONE_NEWNS |
	unix.CLONE_NEWIPC | unix.CLONE_NEWUTS | unix.CLONE_NEWCGROUP

const (
	allow  = unix.SECCOMP_RET_ALLOW
	refuse = unix.SECCOMP_RET_ERRNO | uint32(unix.EPERM)
	absent = unix.SECCOMP_RET_ERRNO | uint32(unix.ENOSYS)
	kill   = unix.SECCOMP_RET_KILL_PROCESS
)

// Offsets in struct seccomp_data.
const (
	offsetNumber = 0
	offsetArch   = 4
	offsetArgs   = 16
)

func zygoteFilter() []unix.SockFilter {
	f := newFilter()
	for _, nr := range slices.Concat(childCalls, childCallsArch, zygoteCalls, zygoteCallsArch) {
		if nr != unix.SYS_CLONE {
			f.answer(nr, allow)
		}
	}
	f.answer(unix.SYS_PRLIMIT64, allow)
	f.oneOf(unix.SYS_FCNTL, 1, fcntlCommands)
	f.oneOf(unix.SYS_IOCTL, 1, ioctlCommands)
	f.without(unix.SYS_CLONE, 0, threadFlags)
	f.oneOf(unix.SYS_PERSONALITY, 0, []uint32{personalityQuery})
	// A filter cannot see the flags of clone3, which are behind a pointer. The C library falls back
	// to clone.
	f.answer(unix.SYS_CLONE3, absent)
	for _, nr := range slices.Concat(refusedCalls, refusedCallsArch) {
		f.answer(nr, refuse)
	}
	return f.end(absent)
}

// childFilter returns the second filter: it refuses the calls that only the zygote needs, and some
// arguments of the other calls.
func childFilter() []unix.SockFilter {
	f := newFilter()
	for _, nr := range slices.Concat(zygoteCalls, zygoteCallsArch) {
		f.answer(nr, refuse)
	}
	f.zero(unix.SYS_PRLIMIT64, 0, 2) // a child may read its own limits, but set none
	// A candidate must not learn what other processes do, nor how many processes were before it.
	f.zero(unix.SYS_SCHED_GETAFFINITY, 0)
	for _, nr := range []uint32{unix.SYS_GETPID, unix.SYS_GETPPID, unix.SYS_GETTID} {
		f.answer(nr, unix.SECCOMP_RET_ERRNO) // with no error number: the answer is 0
	}
	for _, nr := range []uint32{
		unix.SYS_CLOCK_GETTIME, unix.SYS_CLOCK_GETRES, unix.SYS_CLOCK_NANOSLEEP,
	} {
		f.without(nr, 0, 1<<31) // negative: the clocks of processes
	}
	return f.end(allow)
}

// A filter is a program for the kernel's packet filter machine. Between two tests the
// accumulator holds the call's number.
type filter struct{ program []unix.SockFilter }

func newFilter() *filter {
	f := &filter{}
	f.load(offsetArch)
	f.jump(unix.BPF_JEQ, auditArch, 1, 0)
	f.ret(kill)
	f.load(offsetNumber)
	return f
}

func (f *filter) add(code uint16, jt, jf uint8, k uint32) {
	f.program = append(f.program, unix.SockFilter{Code: code, Jt: jt, Jf: jf, K: k})
}

func (f *filter) load(offset uint32) { f.add(unix.BPF_LD|unix.BPF_W|unix.BPF_ABS, 0, 0, offset) }

func (f *filter) ret(action uint32) { f.add(unix.BPF_RET|unix.BPF_K, 0, 0, action) }

func (f *filter) jump(op uint16, k uint32, jt, jf uint8) {
	f.add(unix.BPF_JMP|op|unix.BPF_K, jt, jf, k)
}

// answer sets the action for a system call.
func (f *filter) answer(nr, action uint32) {
	f.jump(unix.BPF_JEQ, nr, 0, 1)
	f.ret(action)
}

// oneOf allows a call if the low half of an argument is in the list; the kernel reads only this
// half of an int.
func (f *filter) oneOf(nr, arg uint32, values []uint32) {
	f.jump(unix.BPF_JEQ, nr, 0, uint8(2*len(values)+2))
	f.load(offsetArgs + 8*arg)
	for _, v := range values {
		f.answer(v, allow)
	}
	f.ret(refuse)
}

// without allows a call if no bit of bits is set in an argument.
func (f *filter) without(nr, arg, bits uint32) {
	f.jump(unix.BPF_JEQ, nr, 0, 4)
	f.load(offsetArgs + 8*arg)
	f.jump(unix.BPF_JSET, bits, 0, 1)
	f.ret(refuse)
	f.ret(allow)
}

// zero allows a call if the arguments are zero.
func (f *filter) zero(nr uint32, args ...uint32) {
	left := uint8(4 * len(args)) // instructions up to the answers
	f.jump(unix.BPF_JEQ, nr, 0, left+2)
	for _, arg := range args {
		for _, half := range []uint32{0, 4} {
			left -= 2
			f.load(offsetArgs + 8*arg + half)
			f.jump(unix.BPF_JEQ, 0, 0, left+1)
		}
	}
	f.ret(allow)
	f.ret(refuse)
}

func (f *filter) end(action uint32) []unix.SockFilter {
	f.ret(action)
	return f.program
}

// filterBytes returns the program as the kernel reads it, for another process to install.
func filterBytes(program []unix.SockFilter) []byte {
	b, err := binary.Append(nil, binary.LittleEndian, program)
	if err != nil {
		panic("sandbox: a filter does not encode: " + err.Error())
	}
	return b
}

// installFilter puts the calling thread under a filter. It needs no_new_privs.
func installFilter(program []unix.SockFilter) error {
	prog := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	_, _, errno := unix.RawSyscall(
		unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(program)
	if errno != 0 {
		return fmt.Errorf("seccomp: %w", errno)
	}
	return nil
}

// haveSeccomp reports whether the kernel has filters. It changes nothing.
func haveSeccomp() bool {
	action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
	_, _, errno := unix.RawSyscall(
		unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return errno == 0
}
