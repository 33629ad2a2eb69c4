package sandbox

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
)

// A forkServer keeps one zygote running and has it fork. One zygote serves all workers, because a
// fork keeps it busy for less than a millisecond.
type forkServer struct {
	plan      plan
	inherited inherited
	unsee     func() bool // stops watching the context of openForkServer

	mu      sync.Mutex
	zygote  *zygote // guarded by mu, like all below
	closed  bool
	unended map[*process]struct{}
}

var (
	errClosed     = errors.New("the sandbox is closed")
	errUnconfined = errors.New("this kernel has no")
)

// openForkServer detects what the machine offers, and starts a zygote in the safest way that works.
func openForkServer(ctx context.Context, cfg Config, modules []string) (*forkServer, error) {
	p := plan{Modules: modules, Seccomp: haveSeccomp() && !cfg.without.seccomp}
	if !cfg.without.landlock {
		p.Landlock = landlockABI()
	}
	if lacking := p.lacking(); lacking != "" && !cfg.Unsafe {
		return nil, hint.Add(fmt.Errorf("sandbox: %w %s", errUnconfined, lacking),
			"generated code would not be confined; --unsafe-sandbox runs it anyway, "+
				"and every table says so")
	}
	in, err := findInterpreter(ctx, cfg.Python)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	p.Interpreter = in
	var first error
	for _, p.Way = range ways(cfg) {
		z, err := startZygote(ctx, p)
		if err == nil {
			s := &forkServer{
				plan: p, inherited: inheritedLimits(), zygote: z, unended: map[*process]struct{}{},
			}
			s.unsee = context.AfterFunc(ctx, s.kill)
			return s, nil
		}
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if first == nil {
			first = err
		}
	}
	return nil, inheritedLimits().hint(fmt.Errorf("sandbox: %w", first))
}

// lacking returns the name of a required mechanism that the plan lacks, or "".
func (p *plan) lacking() string {
	switch {
	case p.Landlock == 0:
		return "Landlock"
	case !p.Seccomp:
		return "seccomp"
	}
	return ""
}

// ways lists how a zygote may be started, the safest first.
func ways(cfg Config) []way {
	all := []way{{true, nobody}, {true, 0}, {false, nobody}, {false, 0}}
	return slices.DeleteFunc(all, func(w way) bool {
		return w.Namespaces && cfg.without.namespaces ||
			w.User != 0 && (os.Geteuid() != 0 || cfg.without.user)
	})
}

// spawn forks a child and has it run the prelude; it starts a new zygote if the old one is gone.
// The kernel ends the child after the given seconds of CPU time, in case the clock fails to do so.
// The child contains no part of a candidate yet, so no error is a candidate's fault.
func (s *forkServer) spawn(
	ctx context.Context, limits bench.Limits, seconds uint64, prelude string,
) (*process, error) {
	var err error
	for try := range 3 {
		select {
		case <-time.After(time.Duration(try) * 200 * time.Millisecond):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		var z *zygote
		if z, err = s.living(ctx); err != nil {
			return nil, err
		}
		var p *process
		if p, err = newProcess(z, limits, seconds); err == nil {
			s.mu.Lock()
			s.unended[p] = struct{}{}
			s.mu.Unlock()
			if err = p.prepare(ctx, prelude); err == nil {
				return p, nil
			}
			s.end(p)
		}
		if errors.Is(err, errLost) {
			z.stop() // it may take a moment to end, but forks no more children
		}
		if !errors.Is(err, bench.ErrInterrupted) && !errors.Is(err, unix.EAGAIN) {
			break
		}
	}
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, s.inherited.hint(fmt.Errorf("sandbox: %w", err))
}

func (p *process) prepare(ctx context.Context, prelude string) error {
	r, err := p.ask(ctx, kindPrepare, 0, func(b []byte) []byte { return append(b, prelude...) })
	fault, faulted := errors.AsType[*bench.Fault](err)
	switch {
	case faulted:
		return fmt.Errorf("a process failed before it received a program: %s", fault.Detail)
	case err != nil:
		return err
	case r.kind == kindFault:
		return fmt.Errorf("the task's prelude fails: %s", r.text)
	case r.kind != kindReady:
		return errors.New("a process sent an invalid reply before it received a program")
	}
	return nil
}

func (s *forkServer) living(ctx context.Context) (*zygote, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if !s.zygote.process.Ended() {
		return s.zygote, nil
	}
	s.zygote.stop()
	z, err := startZygote(ctx, s.plan)
	if err != nil {
		return nil, fmt.Errorf("sandbox: %w", err)
	}
	s.zygote = z
	return z, nil
}

func (s *forkServer) end(p *process) {
	p.close()
	s.mu.Lock()
	delete(s.unended, p)
	s.mu.Unlock()
}

// kill ends all processes without waiting. Nothing can be spawned afterwards.
func (s *forkServer) kill() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	s.zygote.process.Kill()
}

// close ends all processes and waits for them. Calls to processes in use fail.
func (s *forkServer) close() {
	s.unsee()
	s.kill()
	s.zygote.stop()
	s.mu.Lock()
	left := s.unended
	s.unended = map[*process]struct{}{}
	s.mu.Unlock()
	for p := range left {
		p.child.wait()
	}
}

// report describes the confinement that the plan puts in force.
func (s *forkServer) report() Report {
	p := s.plan
	r := Report{Python: s.zygote.Python, NumPy: s.zygote.NumPy, Unsafe: p.lacking() != ""}
	add := func(name string, in bool, note, absent string) {
		if !in {
			note = absent
		}
		r.Mechanisms = append(r.Mechanisms, Mechanism{name, in, note})
	}
	add("Landlock", p.Landlock > 0, fmt.Sprintf("ABI %d", p.Landlock),
		"files can be read and written")
	add("seccomp", p.Seccomp, "two filters", "forks, sockets and signals are possible")
	add("namespaces", p.Way.Namespaces, "user, pid, net, mount, ipc; a file tree of its own",
		"names and metadata of files can be seen")
	user := "own user"
	if p.Way.User != 0 {
		user = fmt.Sprintf("user %d", p.Way.User)
	}
	add("privileges", true, user+", no capabilities, no_new_privs", "")
	add("limits", true, "address space, CPU, file size, descriptors; pidfd", "")
	r.Notes = s.inherited.notes()
	if !s.zygote.Fixed {
		r.Notes = append(r.Notes,
			"memory addresses are random on this machine: a program that depends on the order of "+
				"a set of plain objects may get a different score in each run")
	}
	return r
}
