package sandbox

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"slices"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/python"
)

// launcherName is the name under which the program starts itself again.
const launcherName = "pacebench-sandbox"

// Descriptors of the launcher, and of the zygote that it becomes.
const (
	fdControl = 3
	fdSource  = 4
	fdPlan    = 5 // used by the launcher only
)

// nobody is the user that candidates run as if root starts pacebench.
const nobody = 65534

// zygoteFiles bounds the zygote's descriptors: one for every running child.
const zygoteFiles = 4096

// addrNoRandomize is ADDR_NO_RANDOMIZE of personality(2).
const addrNoRandomize = 0x0040000

// boot runs the worker's source, which is in no file system.
const boot = "import os; source = os.pread(4, 1 << 20, 0); os.close(4); " +
	"exec(compile(source, 'worker.py', 'exec'))"

// Reexec returns false in an ordinary start of the program. In a process that the sandbox started
// as its launcher it does not return: the process confines itself and becomes Python. Call it first
// in main and in TestMain.
func Reexec() bool {
	if len(os.Args) == 0 || os.Args[0] != launcherName {
		return false
	}
	// The following steps affect only this thread. exec ends all other threads.
	runtime.LockOSThread()
	// A garbage collection polls the network, which the filter forbids: the runtime would crash.
	debug.SetGCPercent(-1)
	fmt.Fprintf(os.Stderr, "launcher: %v\n", launch())
	os.Exit(1)
	return true
}

// launch confines the process, in the order of the rights that each step needs, and becomes Python.
// It returns only with an error.
func launch() error {
	var p plan
	told := os.NewFile(fdPlan, "plan")
	err := json.NewDecoder(told).Decode(&p)
	told.Close()
	if err != nil {
		return fmt.Errorf("plan: %w", err)
	}
	in := p.Interpreter
	if err := limit(); err != nil {
		return err
	}
	if p.Way.Namespaces {
		if err := privateRoot(slices.Concat(in.Dirs, in.Files, in.Programs)); err != nil {
			return err
		}
	} else if err := unix.Chdir("/"); err != nil {
		return err
	}
	if err := dropPrivileges(p.Way.User); err != nil {
		return err
	}
	// Without random addresses, what a candidate derives from id() varies less from run to run. A
	// refusal is harmless: an address is not a secret from code that may run any instruction.
	_, _, _ = unix.RawSyscall(unix.SYS_PERSONALITY, addrNoRandomize, 0, 0)
	// The change of user clears this signal, so it is set afterwards.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("parent-death signal: %w", err)
	}
	if p.Landlock > 0 {
		if err := restrictFiles(p.Landlock, in.Dirs, in.Files, in.Programs); err != nil {
			return err
		}
	}
	if p.Seccomp {
		if err := installFilter(zygoteFilter()); err != nil {
			return err
		}
	}
	args := append(append([]string{in.Executable}, python.Flags...), "-c", boot)
	return &os.PathError{Op: "exec", Path: in.Program, Err: unix.Exec(in.Program, args, in.Env)}
}

// limit sets the limits that the zygote and all children share: no writing to files, no core dumps,
// no locked memory, no message queues, and bounds on descriptors and the stack.
func limit() error {
	for resource, value := range map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_FSIZE: 0, unix.RLIMIT_MEMLOCK: 0, unix.RLIMIT_MSGQUEUE: 0,
		unix.RLIMIT_NOFILE: zygoteFiles, unix.RLIMIT_STACK: 8 << 20,
	} {
		var now unix.Rlimit
		if err := unix.Prlimit(0, resource, nil, &now); err != nil {
			return fmt.Errorf("limit %d: %w", resource, err)
		}
		value = min(value, now.Max)
		if err := unix.Prlimit(0, resource, &unix.Rlimit{Cur: value, Max: value}, nil); err != nil {
			return fmt.Errorf("limit %d: %w", resource, err)
		}
	}
	return nil
}

// dropPrivileges leaves no capability and no way to gain one, and changes the user if the plan
// names one. The raw calls affect this thread only; Go's own would affect all threads.
func dropPrivileges(user int) error {
	// An unprivileged process gets an error here, and has no capabilities to drop.
	for capability := uintptr(0); capability < 64; capability++ {
		_ = unix.Prctl(unix.PR_CAPBSET_DROP, capability, 0, 0, 0)
	}
	const noRoot = 1<<0 | 1<<1 // SECBIT_NOROOT and its lock: user 0 gains nothing by exec
	_ = unix.Prctl(unix.PR_SET_SECUREBITS, noRoot, 0, 0, 0)
	if user != 0 {
		id := uintptr(user)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETGROUPS, 0, 0, 0); errno != 0 {
			return fmt.Errorf("leave groups: %w", errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESGID, id, id, id); errno != 0 {
			return fmt.Errorf("become group %d: %w", user, errno)
		}
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, id, id, id); errno != 0 {
			return fmt.Errorf("become user %d: %w", user, errno)
		}
	}
	_ = unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := unix.Capset(&header, &none[0]); err != nil {
		return fmt.Errorf("drop capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	return nil
}
