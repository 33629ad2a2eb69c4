package sandbox

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/pacebench/pacebench/bench"
)

// An attack is a candidate whose function attack returns a text when it succeeds. It fails, as it
// should, when it raises an exception, crashes or reaches a limit.
type attack struct{ name, source string }

var attacks = []attack{
	{"read a file of the system", `
def attack():
    return open("/etc/passwd").read(20)
`},
	{"see the user's files", `
import os
def attack():
    for name in ("/home", "/root", "/tmp", "/"):
        for entry in os.scandir(name):
            return entry.path
`},
	{"read the environment", `
import os
def attack():
    for name in os.environ:
        if "KEY" in name or "TOKEN" in name:
            return name
    raise LookupError("it holds nothing of the parent's")
`},
	{"read /proc of the parent", `
import os
def attack():
    return str(os.getppid()) + open("/proc/%d/environ" % os.getppid()).read(1)
`},
	{"write a file", `
import os
def attack():
    for name in ("/tmp", "/var/tmp", "/dev/shm", "."):
        try:
            open(os.path.join(name, "pacebench-selftest"), "w").write("x")
            return name
        except OSError as error:
            last = error
    raise last
`},
	{"open a network socket", `
import socket
def attack():
    return str(socket.socket().fileno())
`},
	{"start a process", `
import os
def attack():
    return str(os.fork())
`},
	{"start a thread", `
import threading
def attack():
    threading.Thread(target=print).start()
    return "started"
`},
	{"send a signal", `
import os
def attack():
    os.kill(os.getppid(), 9)
    return "sent"
`},
	{"take all memory", `
def attack():
    hoard = []
    while True:
        hoard.append(bytearray(1 << 24))
`},
	{"compute for ever", `
def attack():
    while True:
        pass
`},
	{"sleep for ever", `
import time
def attack():
    time.sleep(1000)
    return "slept"
`},
	{"leave without an answer", `
import os
def attack():
    os._exit(0)
`},
}

// SelfTest attacks a sandbox opened with cfg, and reports what stopped each attack. If the sandbox
// does not open, the only check is that it opens.
func SelfTest(ctx context.Context, cfg Config) []Check {
	cfg.Log, cfg.Workers = nil, 2
	workers, err := Open(ctx, cfg)
	if err != nil {
		return []Check{{Name: "open the sandbox", Err: err}}
	}
	defer workers.Close()
	var checks []Check
	for _, a := range attacks {
		c, err := a.run(ctx, workers)
		if err != nil {
			return append(checks, Check{Name: a.name, Err: err})
		}
		checks = append(checks, c)
	}
	// One candidate tries to reach the pipes of another, in every way in which this user can start
	// a sandbox here: with namespaces and without, as another user and as the same user.
	for _, w := range ways(cfg) {
		c := cfg
		c.without.namespaces, c.without.user = !w.Namespaces, w.User == 0
		workers, err := Open(ctx, c)
		if err != nil {
			continue // the first Open worked in one of these ways
		}
		if workers.server.plan.Way == w {
			check, err := attackSibling(ctx, workers)
			if err != nil {
				check = Check{Name: siblingName, Err: err}
			}
			checks = append(checks, check)
		}
		workers.Close()
	}
	return checks
}

const siblingName = "answer for another program"

// attackSibling gives the attacker the process numbers, which it would otherwise have to guess.
func attackSibling(ctx context.Context, p *Workers) (Check, error) {
	victim, err := p.Load(ctx, "def f():\n    return 1\n", "", "f", selfTestLimits)
	if err != nil {
		return Check{}, err
	}
	defer victim.Close()
	child := victim.(*Target).process.child
	name := siblingName
	if !p.server.plan.Way.Namespaces {
		name += ", no namespaces"
	}
	return attack{name, fmt.Sprintf(`
import os
def attack():
    opened, last = [], LookupError("nothing is there")
    for pid in %d, %d, %d, 1:
        for name in "fd/0", "fd/3", "fd/4", "mem", "environ", "maps":
            for mode in os.O_RDONLY, os.O_WRONLY:
                try:
                    os.open(f"/proc/{pid}/{name}", mode | os.O_NONBLOCK)
                    opened.append(name)
                except OSError as error:
                    last = error
    if not opened:
        raise last
    return "opened " + ", ".join(opened)
`, child.pid, child.inner, p.server.zygote.process.Pid)}.run(ctx, p)
}

// selfTestLimits are short, because two of the attacks last until the limit.
var selfTestLimits = bench.Limits{Wall: time.Second, CPU: 500 * time.Millisecond, Memory: 256 << 20}

func (a attack) run(ctx context.Context, p *Workers) (Check, error) {
	t, err := p.Load(ctx, a.source, "", "attack", selfTestLimits)
	var v bench.Value
	if err == nil {
		v, err = t.Call(ctx)
		err = errors.Join(err, t.Close())
	}
	if fault, ok := errors.AsType[*bench.Fault](err); ok {
		detail := fmt.Sprintf("%s: %s", fault.Kind, fault.Detail)
		return Check{Name: a.name, OK: true, Detail: detail}, nil
	}
	return Check{Name: a.name, Detail: fmt.Sprintf("it returned %v", v)}, err
}
