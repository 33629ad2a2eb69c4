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
	"runtime"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

//go:embed worker.py
var workerSource string

// startTimeout bounds the start of a zygote, which takes 0.2 s on an idle machine.
const startTimeout = 60 * time.Second

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
	process *os.Process
	control *net.UnixConn
	stderr  *tail
	base    uint64 // its address space in bytes: what every child starts with
	python  string
	numpy   string

	gone  chan struct{}  // closed when it can start and report no more children
	ended sync.WaitGroup // its two goroutines

	mu       sync.Mutex // guards the following
	next     uint32
	children map[uint32]*child // forked or being forked, and not reported as ended
	lost     bool
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
	z := &zygote{
		control: control.(*net.UnixConn), stderr: new(tail),
		gone: make(chan struct{}), children: map[uint32]*child{},
	}
	err = z.start(p, theirs)
	theirs.Close() // held by the launcher alone, the socket ends with it
	if err != nil {
		z.control.Close()
		return nil, err
	}
	stop := context.AfterFunc(ctx, z.kill)
	err = z.greet(p)
	if !stop() && err == nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		z.kill()
		z.control.Close()
		z.ended.Wait()
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if line := lastLine(z.stderr.String()); line != "" {
			err = errors.New(line)
		}
		return nil, fmt.Errorf("python %s, confined: %w", p.interpreter.Executable, err)
	}
	z.ended.Go(z.listen)
	return z, nil
}

// start runs the launcher and keeps, until it ends, the thread that started it: the kernel
// ties the parent-death signal to a thread, not to a process.
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
		SysProcAttr: attributes(p.way), WaitDelay: time.Second,
	}
	started := make(chan error, 1)
	z.ended.Go(func() {
		runtime.LockOSThread()
		err := cmd.Start()
		z.process = cmd.Process
		started <- err
		if err == nil {
			_ = cmd.Wait() // how it ended is of no interest; that it did, listen notices
		}
	})
	if err := <-started; err != nil {
		z.ended.Wait()
		return fmt.Errorf("start the sandbox's launcher: %w", err)
	}
	return nil
}

func attributes(w way) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if !w.namespaces {
		return attr
	}
	attr.Cloneflags = syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWNS | syscall.CLONE_NEWIPC
	uid, gid := os.Geteuid(), os.Getegid()
	// The launcher is user 0 of its own namespace until its mounts are made.
	attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: uid, Size: 1}}
	attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: gid, Size: 1}}
	if w.user != 0 {
		attr.UidMappings = append(attr.UidMappings, syscall.SysProcIDMap{ContainerID: w.user, HostID: w.user, Size: 1})
		attr.GidMappings = append(attr.GidMappings, syscall.SysProcIDMap{ContainerID: w.user, HostID: w.user, Size: 1})
		attr.GidMappingsEnableSetgroups = true
	}
	return attr
}

// greet tells the zygote what to import and reads that it has.
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
	if _, err := z.control.Write(config); err != nil {
		return err
	}
	if err := z.control.SetReadDeadline(time.Now().Add(startTimeout)); err != nil {
		return err
	}
	b := make([]byte, 1024)
	n, err := z.control.Read(b)
	if err != nil {
		return err
	}
	var hello struct{ Python, NumPy string }
	if err := json.Unmarshal(b[:n], &hello); err != nil {
		return fmt.Errorf("unexpected greeting: %w", err)
	}
	z.python, z.numpy = hello.Python, hello.NumPy
	if z.base, err = addressSpace(z.process.Pid); err != nil {
		return err
	}
	return z.control.SetReadDeadline(time.Time{})
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

// Messages of the zygote: a byte, the child's number, and by kind.
const (
	saidForked = 1 // int32 its own idea of the pid; a pidfd comes with it
	saidEnded  = 2 // int32 wait status, uint64 CPU microseconds, uint64 resident KiB
	saidFailed = 3 // int32 errno
)

// listen hears what the zygote says until it is gone.
func (z *zygote) listen() {
	b, oob := make([]byte, 64), make([]byte, unix.CmsgSpace(4))
	for {
		n, oobn, _, _, err := z.control.ReadMsgUnix(b, oob)
		if err != nil || n < 9 {
			break
		}
		pidfd := receivedDescriptor(oob[:oobn])
		number := binary.LittleEndian.Uint32(b[1:])
		detail := int32(binary.LittleEndian.Uint32(b[5:]))
		z.mu.Lock()
		c := z.children[number]
		if b[0] != saidForked {
			delete(z.children, number)
		}
		z.mu.Unlock()
		if c == nil {
			break // the zygote is out of its mind
		}
		switch b[0] {
		case saidForked:
			c.forked(pidfd, nil)
		case saidFailed:
			c.forked(-1, fmt.Errorf("fork: %w", syscall.Errno(detail)))
		case saidEnded:
			if n == 25 {
				c.cpu = time.Duration(binary.LittleEndian.Uint64(b[9:])) * time.Microsecond
				c.resident = int64(binary.LittleEndian.Uint64(b[17:])) << 10
			}
			c.status = unix.WaitStatus(detail)
			close(c.ended)
		}
	}
	z.kill() // it may be alive and only silent
	z.mu.Lock()
	z.lost = true
	z.mu.Unlock()
	close(z.gone)
	z.control.Close()
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

// kill ends the zygote, and with it all of its children. It does not wait.
func (z *zygote) kill() { _ = z.process.Kill() } // an error says that it has ended already

// stop ends the zygote and waits for all that belongs to it.
func (z *zygote) stop() {
	z.kill()
	z.ended.Wait()
}

// errLost means that the zygote ended under a child: a broken world, no fault of the candidate.
var errLost = errors.New("the sandbox's Python process is gone")

// fork asks for a child on the two descriptors, limited to memory bytes beyond the zygote's
// own and to cpu seconds, and waits for it.
func (z *zygote) fork(request, reply int, memory, cpu uint64) (*child, error) {
	c := &child{zygote: z, pidfd: -1, ready: make(chan struct{}), ended: make(chan struct{})}
	z.mu.Lock()
	if z.lost {
		z.mu.Unlock()
		return nil, errLost
	}
	z.next++
	c.number = z.next
	z.children[c.number] = c
	z.mu.Unlock()

	message := binary.LittleEndian.AppendUint32(nil, c.number)
	message = binary.LittleEndian.AppendUint64(message, z.base+memory)
	message = binary.LittleEndian.AppendUint64(message, cpu)
	if _, _, err := z.control.WriteMsgUnix(message, unix.UnixRights(request, reply), nil); err != nil {
		return nil, errLost
	}
	// A zygote that answers nothing is stuck, and so is everybody who waits for it.
	stuck := time.AfterFunc(startTimeout, z.kill)
	defer stuck.Stop()
	select {
	case <-c.ready:
	case <-z.gone:
		select {
		case <-c.ready: // both happened
		default:
			return nil, errLost
		}
	}
	return c, c.err
}
