package sandboxtest

import "github.com/pacebench/pacebench/bench"

// Secret is in the environment of the process that runs the tests.
const Secret = "sk-not-for-candidates"

// Files are programs that try to read or change files, or to read the environment of processes.
var Files = []Attack{
	{"reads a file of the system", "file tree, Landlock", `
def f():
    return open("/etc/passwd").read()
`, raised, nil, "Error"},
	{"reads the repository's data", "file tree, Landlock", `
import os
def f():
    found = 0
    for root, _, names in os.walk("/"):
        for name in names:
            if name in ("go.mod", "mt19937.json", "construct_lengths.json", ` +
		`"id_rsa", ".bash_history"):
                open(os.path.join(root, name)).read()
                found += 1
    return found
`, nil, bench.Int(0), ""},
	{"looks for the secret in its environment", "built environment", `
import os
def f():
    return any("sk-not" in value for value in os.environ.values())
`, nil, bench.Bool(false), ""},
	{"reads its parent's environment", "file tree, Landlock, pid namespace", `
import os
def f():
    return open("/proc/%d/environ" % os.getppid()).read()
`, raised, nil, "Error"},
	{"reads everybody's environment", "file tree, Landlock, pid namespace", `
def f():
    found = 0
    for pid in range(1, 5000):
        try:
            found += len(open("/proc/%d/environ" % pid, "rb").read())
        except OSError:
            pass
    return found
`, nil, bench.Int(0), ""},
	{"reads its own maps", "file tree, Landlock", `
def f():
    return open("/proc/self/maps").read()
`, raised, nil, "Error"},
	{"lists a home directory", "file tree, Landlock", `
import os
def f():
    return len(os.listdir("/home")) + len(os.listdir("/tmp"))
`, raised, nil, "Error"},
	{"reads through a directory descriptor", "file tree, Landlock", `
import os
def f():
    root = os.open("/", os.O_PATH)
    return len(os.read(os.open("etc/passwd", os.O_RDONLY, dir_fd=root), 10))
`, raised, nil, "Error"},
	{"climbs out of the new root", "pivot_root, Landlock", `
import os
def f():
    return open("/" + "../" * 40 + "etc/passwd").read()
`, raised, nil, "Error"},
	{"writes into its directory", "Landlock, read-only tree", `
def f():
    open("trace", "w").write("x")
`, raised, nil, "Error"},
	{"writes into temporary directories", "Landlock, file tree", `
import os
def f():
    written = 0
    for directory in ("/tmp", "/var/tmp", "/dev/shm", "/run", os.path.expanduser("~")):
        try:
            open(directory + "/pacebench-trace", "w").write("x")
            written += 1
        except OSError:
            pass
    return written
`, nil, bench.Int(0), ""},
	{"leaves code for later in site-packages", "Landlock, read-only mounts", `
import numpy, os
def f():
    open(os.path.dirname(os.path.dirname(numpy.__file__)) + "/trace.pth", "w").write("import os")
`, raised, nil, "Error"},
	{"changes a module on disk", "Landlock, read-only mounts", `
import random
def f():
    open(random.__file__, "a").write("leak = 1")
`, raised, nil, "Error"},
	{"truncates, renames, removes and links", "seccomp", `
import os, random
def f():
    done = 0
    for action in (lambda: os.truncate(random.__file__, 0), lambda: os.remove(random.__file__),
                   lambda: os.rename(random.__file__, "/x"), lambda: os.symlink("/", "/x"),
                   lambda: os.link(random.__file__, "/x"), lambda: os.mkdir("/x"), ` +
		`lambda: os.mkfifo("/x"),
                   lambda: os.chmod(random.__file__, 0o777), ` +
		`lambda: os.utime(random.__file__, (0, 0))):
        try:
            action()
            done += 1
        except OSError:
            pass
    return done
`, nil, bench.Int(0), ""},
	{"fills memory files", "seccomp", `
import os
def f():
    return os.memfd_create("x")
`, raised, nil, "PermissionError"},
	{"opens devices", "file tree, Landlock", `
def f():
    opened = 0
    for name in ("mem", "kmem", "sda", "vda", "tty", "ptmx", "kvm", "fuse", "random"):
        try:
            open("/dev/" + name, "rb")
            opened += 1
        except OSError:
            pass
    return opened
`, nil, bench.Int(0), ""},
	{"changes its root", "seccomp, no capabilities", `
import os
def f():
    os.chroot("/")
`, raised, nil, "PermissionError"},
}

// Network are programs that try to use the network.
var Network = []Attack{
	{"opens sockets of all families", "seccomp", `
import socket
def f():
    opened = 0
    for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_NETLINK, ` +
		`socket.AF_PACKET, socket.AF_VSOCK):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            try:
                socket.socket(family, kind)
                opened += 1
            except OSError:
                pass
    return opened
`, nil, bench.Int(0), ""},
	{"fetches a page", "seccomp", `
import urllib.request
def f():
    return len(urllib.request.urlopen("http://127.0.0.1:80/").read())
`, raised, nil, "Error"},
	{"resolves a name", "seccomp, file tree", `
import socket
def f():
    return str(socket.getaddrinfo("example.org", 80))
`, raised, nil, ""},
	{"makes a pair of sockets", "seccomp", `
import socket
def f():
    return len(socket.socketpair())
`, raised, nil, "PermissionError"},
	{"speaks over the zygote's old control socket", "closed descriptors, seccomp", `
import socket
def f():
    return socket.socket(fileno=3).send(b"hello")
`, raised, nil, "Error"},
}

// Processes are programs that try to start, signal or inspect processes.
var Processes = []Attack{
	{"forks", "seccomp", `
import os
def f():
    return os.fork()
`, raised, nil, "PermissionError"},
	{"is a fork bomb that does not give up", "seccomp, CPU limit", `
import os
def f():
    while True:
        try:
            os.fork()
        except OSError:
            pass
`, timeup, nil, ""},
	{"starts a thread", "seccomp", `
import threading
def f():
    threading.Thread(target=print).start()
`, raised, nil, "can't start new thread"},
	{"is a thread bomb", "seccomp", `
import threading
def f():
    started = 0
    for _ in range(2000):
        try:
            threading.Thread(target=lambda: None).start()
            started += 1
        except RuntimeError:
            pass
    return started
`, nil, bench.Int(0), ""},
	{"runs a shell", "seccomp, Landlock", `
import os
def f():
    return os.system("true") == 0
`, nil, bench.Bool(false), ""},
	{"runs a subprocess", "seccomp, Landlock", `
import subprocess, sys
def f():
    return subprocess.run([sys.executable, "-c", "pass"]).returncode
`, raised, nil, "Error"},
	{"spawns", "seccomp, Landlock", `
import os, sys
def f():
    return os.posix_spawn(sys.executable, [sys.executable, "-c", "pass"], {})
`, raised, nil, "PermissionError"},
	{"replaces itself by another program", "seccomp, Landlock", `
import os, sys
def f():
    os.execv(sys.executable, [sys.executable, "-c", "print()"])
`, raised, nil, "PermissionError"},
	{"uses multiprocessing", "seccomp", `
import multiprocessing
def f():
    with multiprocessing.Pool(2) as pool:
        return sum(pool.map(abs, [1, 2]))
`, raised, nil, "Error"},
	{"kills everybody", "seccomp, pid namespace", `
import os, signal
def f():
    done = 0
    for pid in (-1, 0, 1, os.getppid(), *range(2, 2000)):
        try:
            os.kill(pid, signal.SIGKILL)
            done += 1
        except OSError:
            pass
    return done
`, nil, bench.Int(0), ""},
	{"makes raw system calls", "seccomp, no capabilities", `
import ctypes, platform
def f():
    call = ctypes.CDLL(None, use_errno=True).syscall
    x86 = platform.machine() == "x86_64"
    # ptrace, mount, unshare, setns, bpf, io_uring_setup, clone3, pidfd_getfd, ` +
		`process_vm_writev, keyctl, userfaultfd, memfd_secret
    numbers = (101, 165, 272, 308, 321, 425, 435, 438, 311, 250, 323, 447) if x86 else ` +
		`(117, 40, 97, 268, 280, 425, 435, 438, 271, 219, 282, 447)
    return sum(call(number, 0, 0, 0, 0, 0, 0) >= 0 for number in numbers)
`, nil, bench.Int(0), ""},
	{"makes calls of the x32 interface", "seccomp", `
import ctypes, platform
def f():
    if platform.machine() != "x86_64":
        return -1
    return ctypes.CDLL(None).syscall(0x40000000 + 39)
`, nil, bench.Int(-1), ""},
	{"makes calls of the 32-bit interface", "seccomp", `
import ctypes, mmap, platform
def f():
    if platform.machine() != "x86_64":
        import os
        os._exit(1)
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, getpid; int 0x80; ret
    return ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))()
`, crashed, nil, ""},
	{"shakes off the parent-death signal and its filters", "seccomp", `
import ctypes
def f():
    prctl = ctypes.CDLL(None).prctl
    return sum(prctl(option, 0, 0, 0, 0) == 0 for option in (1, 4, 22, 23, 38))
`, nil, bench.Int(0), ""},
	{"raises its limits", "seccomp", `
import resource
def f():
    done = 0
    for limit in (resource.RLIMIT_AS, resource.RLIMIT_CPU, resource.RLIMIT_NPROC, ` +
		`resource.RLIMIT_NOFILE):
        for value in (resource.RLIM_INFINITY, 0):
            try:
                resource.setrlimit(limit, (value, value))
                done += 1
            except (OSError, ValueError):
                pass
    return done
`, nil, bench.Int(0), ""},
	{"takes another user or priority", "seccomp, no capabilities", `
import os
def f():
    done = 0
    for action in (lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.setgroups([0]),
                   lambda: os.setpriority(os.PRIO_PROCESS, 0, -10), ` +
		`lambda: os.sched_setaffinity(0, [0])):
        try:
            action()
            done += 1
        except OSError:
            pass
    return done
`, nil, bench.Int(0), ""},
	{"has signals sent to others by fcntl", "seccomp", `
import fcntl, os
def f():
    return fcntl.fcntl(4, fcntl.F_SETOWN, os.getppid())
`, raised, nil, "PermissionError"},
}
