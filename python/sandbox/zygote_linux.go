package sandbox

import (
	"context"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/python"
	"github.com/pacebench/pacebench/python/wire"
)

//go:embed worker.py
var workerSource string

// startTimeout ends a zygote that hangs when it starts. A start takes 0.2 s on an idle machine, and
// much longer if NumPy is on a cold network disk.
const startTimeout = 5 * time.Minute

// A way is a manner of starting a zygote.
type way struct {
	Namespaces bool
	User       int // the user and group of the zygote; 0: unchanged
}

// A plan holds the settings of all zygotes of one fork server. The launcher receives it.
type plan struct {
	Interpreter *interpreter
	Way         way
	Landlock    int // ABI version; 0: without
	Seccomp     bool
	Modules     []string // imported before the first fork
}

// A zygote is a confined Python process that forks a child for each candidate, or for the analyser.
type zygote struct {
	process *python.Process
	control *net.UnixConn
	stderr  *python.Tail
	base    uint64 // its address space in bytes, with which every child starts
	greeting
	turn sync.Mutex // held from an order to its report
}

// A greeting is the report of a zygote about itself.
type greeting struct {
	Python, NumPy string // versions
	Fixed         bool   // its addresses are the same in every run
}

// startZygote starts a zygote and waits until it can fork.
func startZygote(ctx context.Context, p plan) (*zygote, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	control, err := net.FileConn(ours)
	ours.Close()
	if err != nil {
		theirs.Close()
		return nil, err
	}
	z := &zygote{control: control.(*net.UnixConn), stderr: new(python.Tail)}
	err = z.start(p, theirs)
	theirs.Close() // when only the launcher has it, the socket ends with the launcher
	if err != nil {
		z.control.Close()
		return nil, err
	}
	stop := context.AfterFunc(ctx, z.process.Kill)
	err = z.greet(p)
	if err == nil {
		err = z.warm()
	}
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		z.stop()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if line := z.stderr.LastLine(); line != "" {
			err = errors.New(line)
		}
		return nil, fmt.Errorf("python %s, confined: %w", p.Interpreter.Executable, err)
	}
	return z, nil
}

func (z *zygote) start(p plan, control *os.File) error {
	source, err := sealed("worker.py", []byte(wire.PythonWithValues(workerSource)))
	if err != nil {
		return err
	}
	defer source.Close()
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	told, err := sealed("plan", text)
	if err != nil {
		return err
	}
	defer told.Close()
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{launcherName}, Env: []string{}, Dir: "/",
		Stderr: z.stderr, ExtraFiles: []*os.File{control, source, told},
		SysProcAttr: attributes(p.Way), WaitDelay: 10 * time.Second,
	}
	if z.process, err = python.Start(cmd); err != nil {
		return fmt.Errorf("start the sandbox's launcher: %w", err)
	}
	return nil
}

func attributes(w way) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if !w.Namespaces {
		return attr
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
		syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	// The launcher is user 0 of its own namespace until it has made its mounts.
	attr.UidMappings = []syscall.SysProcIDMap{{HostID: os.Geteuid(), Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{HostID: os.Getegid(), Size: 1}}
	if w.User != 0 {
		other := syscall.SysProcIDMap{ContainerID: w.User, HostID: w.User, Size: 1}
		attr.UidMappings = append(attr.UidMappings, other)
		attr.GidMappings = append(attr.GidMappings, other)
		attr.GidMappingsEnableSetgroups = true
	}
	return attr
}

// greet sends the zygote its configuration and waits until it has imported its modules.
func (z *zygote) greet(p plan) error {
	var filter []byte
	if p.Seccomp {
		filter = filterBytes(childFilter())
	}
	config, err := json.Marshal(map[string]any{
		"modules":        p.Modules,
		"filter":         base64.StdEncoding.EncodeToString(filter),
		"user_namespace": p.Way.Namespaces,
	})
	if err != nil {
		return err
	}
	defer z.guard()()
	if _, err := z.control.Write(config); err != nil {
		return err
	}
	b := make([]byte, 1024)
	n, err := z.control.Read(b)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(b[:n], &z.greeting); err != nil {
		return fmt.Errorf("unexpected greeting: %w", hint.JSON(err))
	}
	if z.base, err = addressSpace(z.process.Pid); err != nil {
		return err
	}
	_, err = z.control.Write([]byte{0}) // continue
	return err
}

// warm has the zygote fork and reap a few children, because its first forks change its heap. From
// then on, all of its children start with the same heap.
func (z *zygote) warm() error {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	fd := int(null.Fd())
	for range 4 {
		var pair []*child
		for range 2 {
			c, err := z.fork(fd, fd, defaultMemory, 10)
			if err != nil {
				return err
			}
			pair = append(pair, c) // the child reads the end of its requests and exits
		}
		for _, c := range pair {
			c.wait()
		}
	}
	return nil
}

// guard kills the zygote if it does not answer for longer than a start may take.
func (z *zygote) guard() (stop func()) {
	return python.Watch(time.Second, func(ticks int) bool {
		hangs := time.Duration(ticks)*time.Second >= startTimeout
		if hangs {
			z.process.Kill()
		}
		return hangs
	})
}

func addressSpace(pid int) (uint64, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var pages uint64
	if _, err := fmt.Sscan(string(b), &pages); err != nil {
		return 0, fmt.Errorf("/proc/%d/statm: %w", pid, err)
	}
	return pages * uint64(os.Getpagesize()), nil
}

// stop kills the zygote with its children, and waits for the zygote.
func (z *zygote) stop() {
	z.process.Kill()
	z.control.Close()
	<-z.process.Gone()
}

// errLost means that the zygote ended while it was needed.
var errLost = fmt.Errorf("%w: the sandbox's Python process is gone", bench.ErrInterrupted)

// Orders to the zygote.
const (
	orderFork = 1
	orderReap = 2
)

// An order and the answer to it, as worker.py lays them out.
type (
	order struct {
		Kind       uint32
		Pid        int32
		Space, CPU uint64 // limits of a child: bytes of address space, seconds
	}
	outcome struct {
		Pid    int32 // -1: the fork failed, and Status is the error
		Status uint32
		Usage  unix.Rusage
	}
)

// order has the zygote do one thing, and returns the outcome with the descriptor that it sent, or
// -1. It kills a zygote that does not answer, because all other callers would wait, too.
func (z *zygote) order(o order, rights []byte) (out outcome, fd int, err error) {
	z.turn.Lock()
	defer z.turn.Unlock()
	defer z.guard()()
	message, err := binary.Append(nil, binary.NativeEndian, o)
	if err == nil {
		_, _, err = z.control.WriteMsgUnix(message, rights, nil)
	}
	if err != nil {
		return out, -1, errLost
	}
	answer, oob := make([]byte, 256), make([]byte, unix.CmsgSpace(4))
	n, oobn, _, _, err := z.control.ReadMsgUnix(answer, oob)
	if err == nil {
		_, err = binary.Decode(answer[:n], binary.NativeEndian, &out)
	}
	if err != nil {
		return out, -1, errLost
	}
	return out, receivedDescriptor(oob[:oobn]), nil
}

func receivedDescriptor(oob []byte) int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err == nil && len(messages) == 1 {
		if fds, err := unix.ParseUnixRights(&messages[0]); err == nil && len(fds) == 1 {
			return fds[0] // no child process inherits it: Go receives with MSG_CMSG_CLOEXEC
		}
	}
	return -1
}

// fork has the zygote fork a child that uses the two descriptors. The child is limited to cpu
// seconds and to memory bytes beyond the zygote's own.
func (z *zygote) fork(request, reply int, memory, cpu uint64) (*child, error) {
	out, pidfd, err := z.order(
		order{Kind: orderFork, Space: z.base + memory, CPU: cpu}, unix.UnixRights(request, reply))
	switch {
	case err != nil:
		return nil, err
	case out.Pid < 0:
		return nil, fmt.Errorf("fork: %w", syscall.Errno(out.Status))
	case pidfd < 0:
		return nil, errors.New("fork: no pidfd came with the child")
	}
	return &child{zygote: z, inner: out.Pid, pid: pidOf(pidfd), pidfd: pidfd}, nil
}

func (z *zygote) reap(inner int32) (outcome, error) {
	out, _, err := z.order(order{Kind: orderReap, Pid: inner}, nil)
	if err != nil || out.Pid != inner {
		return outcome{}, errLost
	}
	return out, nil
}

// socketPair returns two ends of a socket that keeps messages apart.
func socketPair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_SEQPACKET|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("socketpair: %w", err)
	}
	return os.NewFile(uintptr(fds[0]), "control"), os.NewFile(uintptr(fds[1]), "control"), nil
}

// sealed returns an unnamed file in memory with immutable content.
func sealed(name string, content []byte) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, fmt.Errorf("memfd: %w", err)
	}
	f := os.NewFile(uintptr(fd), name)
	_, err = f.Write(content)
	if err == nil {
		_, err = f.Seek(0, 0)
	}
	if err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS,
			unix.F_SEAL_SEAL|unix.F_SEAL_SHRINK|unix.F_SEAL_GROW|unix.F_SEAL_WRITE)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("memfd %s: %w", name, err)
	}
	return f, nil
}
