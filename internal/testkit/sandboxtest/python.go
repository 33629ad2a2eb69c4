package sandboxtest

import (
	"strings"

	"github.com/pacebench/pacebench/bench"
)

// Resources are programs that use up time, memory and descriptors.
var Resources = []Attack{
	{"computes for ever", "CPU clock", `
def f():
    while True:
        pass
`, timeup, nil, ""},
	{"computes for ever when imported", "CPU clock", `
while True:
    pass
`, timeup, nil, ""},
	{"computes for ever inside of C", "CPU clock", `
def f():
    return 3 ** (1 << 40)
`, []bench.FaultKind{bench.Timeout, bench.Memory}, nil, ""},
	{"has a regular expression that backtracks", "CPU clock", `
import re
def f():
    return bool(re.match("(a+)+$", "a" * 40 + "b"))
`, timeup, nil, ""},
	{"sleeps for ever", "wall clock", `
import time
def f():
    time.sleep(1000)
`, timeup, nil, ""},
	{"waits for a lock that it holds", "wall clock", `
import threading
def f():
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()
`, timeup, nil, ""},
	{"ignores all signals and computes", "SIGKILL by pidfd", `
import signal
def f():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
`, timeup, nil, ""},
	{"catches everything and continues", "SIGKILL by pidfd", `
def f():
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
`, timeup, nil, ""},
	{"takes all memory in small pieces", "RLIMIT_AS", `
def f():
    hoard = []
    while True:
        hoard.append(bytearray(1 << 20))
`, memory, nil, "MemoryError"},
	{"takes all memory in one step", "RLIMIT_AS", `
import numpy as np
def f():
    return np.ones((1 << 17, 1 << 17))
`, memory, nil, "line 4: MemoryError: Unable to allocate"},
	{"takes all memory when imported", "RLIMIT_AS", `
hoard = ["x" * (1 << 34)]
`, memory, nil, "MemoryError"},
	{"takes memory again whenever it fails", "CPU clock", `
def f():
    hoard = []
    while True:
        try:
            hoard.append(bytes(1 << 16))
        except MemoryError:
            pass
`, timeup, nil, ""},
	{"maps memory without using it", "RLIMIT_AS", `
import mmap
def f():
    return len([mmap.mmap(-1, 1 << 30) for _ in range(64)])
`, []bench.FaultKind{bench.Raised, bench.Memory}, nil, "Cannot allocate memory"},
	{"opens files until none is left", "RLIMIT_NOFILE", `
import random
def f():
    hoard = []
    while True:
        hoard.append(open(random.__file__))
`, raised, nil, "Too many open files"},
	{"floods stdout and stderr", "/dev/null", `
import os, sys
def f():
    for _ in range(200):
        print("x" * 100000)
        print("y" * 100000, file=sys.stderr)
        os.write(1, b"z" * 100000)
        os.write(2, b"z" * 100000)
    return 1
`, nil, bench.Int(1), ""},
	{"reads stdin", "/dev/null", `
import sys
def f():
    return len(sys.stdin.read())
`, nil, bench.Int(0), ""},
	{"recurses without end", "Python's own limit", `
def f():
    return f()
`, raised, nil, "RecursionError"},
	{"recurses without end and without Python's limit", "RLIMIT_AS, the stack's limit", `
import sys
sys.setrecursionlimit(1 << 30)
def f():
    return f()
`, []bench.FaultKind{bench.Memory, bench.Crashed, bench.Timeout}, nil, ""},
	{"recurses in C", "RLIMIT_AS, the stack's limit", `
import sys
sys.setrecursionlimit(1 << 30)
def f():
    nested = []
    for _ in range(1 << 17):
        nested = [nested]
    return len(repr(nested))
`, []bench.FaultKind{bench.Memory, bench.Crashed, bench.Raised, bench.Timeout}, nil, ""},
	{"sets an alarm that ends it", "nothing: it ends only itself", `
import signal, time
def f():
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10)
`, crashed, nil, "SIGALRM"},
}

// Endings are programs that end in unusual ways.
var Endings = []Attack{
	{"exits", "caught by the worker", "import sys\ndef f():\n    sys.exit(3)\n",
		raised, nil, "line 3: SystemExit: 3"},
	{"exits when imported", "caught by the worker", "raise SystemExit\n",
		raised, nil, "line 1: SystemExit"},
	{"quits", "caught by the worker", "def f():\n    quit()\n", raised, nil, ""},
	{"raises KeyboardInterrupt", "caught by the worker", "def f():\n    raise KeyboardInterrupt\n",
		raised, nil, "line 2: KeyboardInterrupt"},
	{"raises an exception that cannot be printed", "caught by the worker", `
class Mute(Exception):
    def __str__(self):
        raise SystemExit
def f():
    raise Mute
`, raised, nil, "line 6: Mute: (no message)"},
	{"raises a long, many-lined message with an address and a path", "cleaned in Go", `
def f():
    raise ValueError("\x00\n\u202e" + "%s in /usr/lib/secret/x.py\n" % object() + "x" * 1000000)
`, raised, nil, "ValueError: ?<object object at 0x…> in …/x.py xxx"},
	{"leaves by os._exit", "noticed immediately", "import os\ndef f():\n    os._exit(0)\n",
		crashed, nil, "exited with status 0"},
	{"leaves by os._exit when imported", "noticed immediately", "import os\nos._exit(7)\n",
		crashed, nil, "exited with status 7"},
	{"aborts", "noticed immediately", "import os\ndef f():\n    os.abort()\n",
		crashed, nil, "killed by SIG"},
	{"writes to address zero", "noticed immediately",
		"import ctypes\ndef f():\n    ctypes.memset(0, 0, 1)\n", crashed, nil, "killed by SIGSEGV"},
	{"overwrites its interpreter", "noticed immediately, or not at all", `
import ctypes
def f():
    for value in (1, 2, 3):
        ctypes.memset(id(value), 0, 32)
    return 1 + 2
`, crashed, nil, ""},
	{"closes its connection and sleeps", "end of the pipe, grace, SIGKILL", `
import os, time
def f():
    os.close(3)
    os.close(4)
    time.sleep(1000)
`, crashed, nil, "closed its connection"},
	{"closes all descriptors", "end of the pipe", `
import os
def f():
    os.closerange(0, 4096)
    return 1
`, crashed, nil, ""},
	{"makes its pipe non-blocking", "its own loss", `
import fcntl, os
def f():
    fcntl.fcntl(3, fcntl.F_SETFL, os.O_NONBLOCK)
    fcntl.fcntl(4, fcntl.F_SETFL, os.O_NONBLOCK)
    return 1
`, nil, bench.Int(1), ""},
	{"leaves a handler that raises in the worker", "its own loss", `
import signal, time
def f():
    def handler(*_):
        raise SystemExit
    signal.signal(signal.SIGVTALRM, handler)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.001)
    while True:
        pass
`, raised, nil, "SystemExit"},
	{"returns a coroutine", "classified", "async def f():\n    return 1\n",
		nil, bench.Other{Type: "coroutine"}, ""},
}

// Forging are programs that try to forge replies, or to find data that they were not given.
var Forging = []Attack{
	{"writes garbage into its pipe", "checked in Go", `
import os
def f():
    os.write(4, b"garbage!" * 100)
    return 1
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"announces a reply of 4 GiB", "checked in Go", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBH", 0xFFFFFFFF, 18, 4, 3) + b"x" * 65536)
    return 1
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"announces an array and sends none", "wall clock", `
import os, struct, time
def f():
    os.write(4, struct.pack("<IBBH", 64 << 20, 18, 4, 3))
    time.sleep(1000)
`, timeup, nil, ""},
	{"answers for the sandbox with a forged load", "checked in Go", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBH", 0, 16, 0, 3))
    os._exit(0)
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"answers with an array of impossible shape", "checked in Go", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBHBBHIqq", 24, 18, 4, 3, 10, 2, 0, 0, 1 << 62, 4))
    os._exit(0)
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"claims to be the prelude's failure", "the prelude is asked before", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBH", 0, 19, 4, 3))
    os._exit(0)
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"answers twice", "checked in Go", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBHq", 8, 18, 0, 3, 41) + struct.pack("<IBBHq", 8, 18, 0, 4, 42))
    os._exit(0)
`, crashed, nil, "wrote to the sandbox's own pipe"},
	{"answers for itself, by the worker's own words",
		"nothing: a candidate may answer what it likes", `
import os, struct
def f():
    os.write(4, struct.pack("<IBBHq", 8, 18, 0, 3, 41))
    os._exit(0)
`, nil, bench.Int(41), ""},
	{"walks the frames for a score", "its process has no score", `
import gc, sys
def f():
    frame, found = sys._getframe(), 0
    while frame:
        found += sum("score" in name or "best" in name for name in frame.f_locals)
        frame = frame.f_back
    for thing in gc.get_objects():
        if type(thing) is dict:
            found += any(type(key) is str and ` +
		`key in ("score", "incumbent", "instances") for key in thing)
    return found
`, nil, bench.Int(0), ""},
	{"searches memory for arrays that it was not given", "they are not there", `
import gc
import numpy as np
def f():
    frozen = gc.get_referrers(np.ndarray)
    return sum(type(thing) is np.ndarray and thing.size > 1000 ` +
		`for thing in gc.get_objects() + frozen)
`, nil, bench.Int(0), ""},
	{"takes the zygote's place", "closed socket, seccomp", `
import gc, sys
def f():
    zygote = [thing for thing in gc.get_objects() if type(thing).__name__ == "Zygote"]
    frame = sys._getframe()
    while frame:
        zygote += [value for value in frame.f_locals.values() if type(value).__name__ == "Zygote"]
        frame = frame.f_back
    zygote[0].control.send(b"\x01\x01\x00\x00\x00\x01\x00\x00\x00")
`, raised, nil, "Error"},
	{"replaces the worker's functions", "its own loss", `
import __main__
def f():
    __main__.classify = lambda value: (0, (b"\x2a" + b"\x00" * 7,))
    return "nothing"
`, nil, bench.Int(42), ""},
}

// Tampering are programs that change the interpreter that they run in.
var Tampering = []Attack{
	{"patches NumPy", "a process of its own", `
import numpy as np
import random, builtins, sys
def f():
    np.sum = lambda *_: 0
    np.pi = 5
    random.leak = builtins.leak = sys.modules["leak"] = 1
    builtins.len = lambda _: 0
    sys.setrecursionlimit(5000)
    return 1
`, nil, bench.Int(1), ""},
	{"patches NumPy in memory", "a process of its own", `
import ctypes, gc
import numpy as np
def f():
    gc.get_referents(np.ndarray.__dict__)[0]["leak"] = 1
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(np.ndarray))
    return hasattr(np.ndarray, "leak")
`, nil, bench.Bool(true), ""},
	{"turns the collector off and leaves garbage", "a process of its own", `
import gc
def f():
    gc.disable()
    for _ in range(10000):
        loop = []
        loop.append(loop)
    return 1
`, nil, bench.Int(1), ""},
	{"registers what is to happen when it ends", "SIGKILL", `
import atexit, time
def f():
    atexit.register(time.sleep, 1000)
    return 1
`, nil, bench.Int(1), ""},
}

// Sources are texts that are invalid or barely valid programs.
var Sources = []Attack{
	{"is empty", "the worker", "", iface, nil, "function f is missing"},
	{"defines a number", "the worker", "f = 3\n",
		iface, nil, "f is not a function but of type int"},
	{"takes other arguments", "the worker", "def f(a, b):\n    return a\n",
		iface, nil, "missing 2 required positional arguments"},
	{"raises TypeError inside", "the worker", "def f():\n    return len(3)\n",
		raised, nil, "line 2: TypeError"},
	{"does not parse", "CPython", "def f(:\n", syntax, nil, "line 1: SyntaxError"},
	{"is badly indented", "CPython", "def f():\nreturn 1\n",
		syntax, nil, "line 2: IndentationError"},
	{"returns outside of a function", "CPython", "return 1\n",
		syntax, nil, "'return' outside function"},
	{"contains a null byte", "CPython", "def f():\n    return 1\x00\n", syntax, nil, "null bytes"},
	{"contains half a character", "CPython", "def f():\n    return '\xed\xa0\x80'\n",
		syntax, nil, "UnicodeDecodeError"},
	{"names another encoding", "it is UTF-8 all the same",
		"# -*- coding: utf-16 -*-\ndef f():\n    return ord('ä')\n", nil, bench.Int(228), ""},
	{"has lone surrogates in a literal", "nothing: it is valid",
		"def f():\n    return len('\\ud800')\n", nil, bench.Int(1), ""},
	{"nests a million parentheses", "CPython", "f = " + strings.Repeat("(", 500000) +
		strings.Repeat(")", 500000), syntax, nil, "too many nested parentheses"},
	{"nests a hundred thousand operators", "CPython", "f = " + strings.Repeat("-", 100000) + "1\n",
		[]bench.FaultKind{bench.Syntax, bench.Crashed, bench.Memory}, nil, ""},
	{"nests blocks", "CPython", "def f():\n" + NestedBlocks(150), syntax, nil, ""},
	{"is a long sum", "CPython", "def f():\n    return " + strings.Repeat("1+", 60000) + "1\n",
		[]bench.FaultKind{
			bench.Syntax, bench.Raised, bench.Crashed, bench.Memory, bench.Timeout,
		}, nil, ""},
	{"has a huge number", "CPython", "def f():\n    return " + strings.Repeat("9", 100000) + "\n",
		syntax, nil, "Exceeds the limit"},
	{"is longer than any program", "Go", strings.Repeat("#\n", 600000),
		syntax, nil, "source of more than"},
	{"shadows what the worker needs", "it has its own names", `
import struct, os, sys
sys.modules["os"] = sys.modules["struct"] = None
def f():
    return 5
`, nil, bench.Int(5), ""},
}

// NestedBlocks returns n nested blocks. A large n exceeds CPython's limit on nested blocks.
func NestedBlocks(n int) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.Repeat(" ", i) + "if 1:\n")
	}
	return b.String() + strings.Repeat(" ", n+1) + "pass\n"
}
