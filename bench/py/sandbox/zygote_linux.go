//go:build amd64 || arm64

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
	"github.com/pacebench/pacebench/bench/py"
)

//go:embed worker.py
var workerSource string

// startTimeout bounds the start of a zygote, which takes 0.2 s on an idle machine and long where
// NumPy comes from a cold network disk. It is for one that hangs.
const startTimeout = 5 * time.Minute

// A way is a manner of starting a zygote.
type way struct {
	namespaces bool
	user       int // 0: the user stays
}

// A plan is what all zygotes of one fork server have in common.
type plan struct {
	interpreter *interpreter
	way         way
	landlock    int // ABI version; 0: without
	seccomp     bool
	modules     []string // imported before the first fork
}

// A zygote is a running one.
type zygote struct {
	process *py.Process
	control *net.UnixConn
	stderr  *py.Tail
	base    uint64 // its address space in bytes: what every child starts with
	python  string
	numpy   string
	fixed   bool // its addresses are the same in every run

	turn sync.Mutex // held from an order to its report
}

// startZygote starts one and waits until it can fork.
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
	z := &zygote{control: control.(*net.UnixConn), stderr: new(py.Tail)}
	err = z.start(p, theirs)
	theirs.Close() // held by the launcher alone, the socket ends with it
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
		return nil, fmt.Errorf("python %s, confined: %w", p.interpreter.Executable, err)
	}
	return z, nil
}

// start runs the launcher.
func (z *zygote) start(p plan, control *os.File) error {
	source, err := sealed("worker.py", []byte(workerSource))
	if err != nil {
		return err
	}
	defer source.Close()
	in := p.interpreter
	text, err := json.Marshal(orders{
		Executable: in.Executable, Program: in.Program, Env: in.env,
		Dirs: in.Dirs, Files: in.Files, Programs: in.programs,
		Namespaces: p.way.namespaces, User: p.way.user, Landlock: p.landlock, Seccomp: p.seccomp,
	})
	if err != nil {
		return err
	}
	told, err := sealed("orders", text)
	if err != nil {
		return err
	}
	defer told.Close()
	cmd := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{launcherName}, Env: []string{}, Dir: "/",
		Stderr: z.stderr, ExtraFiles: []*os.File{control, source, told},
		SysProcAttr: attributes(p.way), WaitDelay: 10 * time.Second,
	}
	if z.process, err = py.Start(cmd); err != nil {
		return fmt.Errorf("start the sandbox's launcher: %w", err)
	}
	return nil
}

func attributes(w way) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true}
	if !w.namespaces {
		return attr
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET |
		syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	uid, gid := os.Geteuid(), os.Getegid()
	// The launcher is user 0 of its own namespace until its mounts are made.
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	if w.user != 0 {
		other := syscall.SysProcIDMap{ContainerID: w.user, HostID: w.user, Size: 1}
		attr.UidMappings = append(attr.UidMappings, other)
		attr.GidMappings = append(attr.GidMappings, other)
		attr.GidMappingsEnableSetgroups = true
	}
	return attr
}

// greet tells the zygote what to import, and reads that it has.
func (z *zygote) greet(p plan) error {
	var filter []byte
	if p.seccomp {
		filter = filterBytes(childFilter())
	}
	config, err := json.Marshal(map[string]any{
		"modules":        p.modules,
		"filter":         base64.StdEncoding.EncodeToString(filter),
		"user_namespace": p.way.namespaces,
	})
	if err != nil {
		return err
	}
	defer patience(startTimeout, z.process.Kill)()
	if _, err := z.control.Write(config); err != nil {
		return err
	}
	b := make([]byte, 1024)
	n, err := z.control.Read(b)
	if err != nil {
		return err
	}
	var hello struct {
		Python, NumPy string
		Fixed         bool
	}
	if err := json.Unmarshal(b[:n], &hello); err != nil {
		return fmt.Errorf("unexpected greeting: %w", err)
	}
	z.python, z.numpy, z.fixed = hello.Python, hello.NumPy, hello.Fixed
	if z.base, err = addressSpace(z.process.Pid); err != nil {
		return err
	}
	_, err = z.control.Write([]byte{0}) // go on
	return err
}

// warm has the zygote fork and reap until it has done everything that it does for the first time:
// after that all of its children find the same heap.
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
			pair = append(pair, c) // it reads the end of its requests, and ends
		}
		for _, c := range pair {
			c.wait()
		}
	}
	return nil
}

// addressSpace returns a process's virtual memory size in bytes.
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

// stop ends the zygote and waits for all that belongs to it.
func (z *zygote) stop() {
	z.process.Kill()
	z.control.Close()
	<-z.process.Gone()
}

// errLost means that the zygote ended under a child.
var errLost = fmt.Errorf("%w: the sandbox's Python process is gone", bench.ErrInterrupted)

// Orders to the zygote.
const (
	orderFork = 1
	orderReap = 2
)

// order has the zygote do one thing, and returns its report and the descriptor that came with
// it, or -1. A zygote that answers nothing is stuck, and so is everybody who waits for it.
func (z *zygote) order(message, rights []byte) (report []byte, fd int, err error) {
	z.turn.Lock()
	defer z.turn.Unlock()
	defer patience(startTimeout, z.process.Kill)()
	if _, _, err := z.control.WriteMsgUnix(message, rights, nil); err != nil {
		return nil, -1, errLost
	}
	report, oob := make([]byte, 256), make([]byte, unix.CmsgSpace(4))
	n, oobn, _, _, err := z.control.ReadMsgUnix(report, oob)
	if err != nil || n < 8 {
		return nil, -1, errLost
	}
	return report[:n], receivedDescriptor(oob[:oobn]), nil
}

func receivedDescriptor(oob []byte) int {
	messages, err := unix.ParseSocketControlMessage(oob)
	if err != nil || len(messages) != 1 {
		return -1
	}
	fds, err := unix.ParseUnixRights(&messages[0])
	if err != nil || len(fds) != 1 {
		return -1
	}
	return fds[0] // not inherited by others: Go receives with MSG_CMSG_CLOEXEC
}

// fork asks for a child on the two descriptors, limited to memory bytes beyond the zygote's
// own and to cpu seconds.
func (z *zygote) fork(request, reply int, memory, cpu uint64) (*child, error) {
	message := binary.NativeEndian.AppendUint32(nil, orderFork)
	message = binary.NativeEndian.AppendUint32(message, 0)
	message = binary.NativeEndian.AppendUint64(message, z.base+memory)
	message = binary.NativeEndian.AppendUint64(message, cpu)
	report, pidfd, err := z.order(message, unix.UnixRights(request, reply))
	if err != nil {
		return nil, err
	}
	inner := int32(binary.NativeEndian.Uint32(report))
	switch {
	case inner < 0:
		return nil, fmt.Errorf("fork: %w", syscall.Errno(binary.NativeEndian.Uint32(report[4:])))
	case pidfd < 0:
		return nil, errors.New("fork: no pidfd came with the child")
	}
	return &child{zygote: z, inner: uint32(inner), pid: pidOf(pidfd), pidfd: pidfd}, nil
}

// reap collects a child that has ended: its wait status, CPU time and most memory in use.
func (z *zygote) reap(inner uint32) (
	status unix.WaitStatus, cpu time.Duration, resident int64, err error,
) {
	message := binary.NativeEndian.AppendUint32(nil, orderReap)
	message = binary.NativeEndian.AppendUint32(message, inner)
	message = append(message, make([]byte, 16)...)
	report, _, err := z.order(message, nil)
	if err != nil || len(report) < 8+5*8 || binary.NativeEndian.Uint32(report) != inner {
		return 0, 0, 0, errLost
	}
	// struct rusage begins with user and system time, each seconds and microseconds, and ru_maxrss.
	word := func(i int) int64 { return int64(binary.NativeEndian.Uint64(report[8+8*i:])) }
	cpu = time.Duration(word(0)+word(2))*time.Second +
		time.Duration(word(1)+word(3))*time.Microsecond
	return unix.WaitStatus(binary.NativeEndian.Uint32(report[4:])), cpu, word(4) << 10, nil
}
