"""Runs candidates: a zygote process forks one confined child for each candidate.

launcher_linux.go confines the zygote before Python starts. The zygote imports the modules that Go
names, and then forks on request. Its descriptors 0 and 1 are /dev/null, Go reads 2, 3 is the
control socket, and 4 was this file. In a child, 0, 1 and 2 are /dev/null, 3 brings requests and 4
takes replies. A child narrows its limits and its system calls before it reads a byte. It runs a
trusted prelude and the candidate, and answers calls until Go closes the request pipe or the
candidate fails. message.go has all the frames, and wire.py the values in them.

Nothing in this file is a defence, because the candidate shares the process and can rewrite it. The
confinement is outside, and Go trusts no frame.
"""

# ruff: noqa: BLE001, S102 - running a candidate is the purpose, and every exception is a result

from __future__ import annotations

import base64
import contextlib
import ctypes
import gc
import importlib
import json
import operator
import os
import random
import resource
import signal
import struct
import sys
import types
import warnings
from collections.abc import Callable, Generator
from typing import Any, NoReturn

from wire import *  # Go puts the text of wire.py here

CONTROL = 3  # the zygote's descriptor
ZYGOTE_FILES, CHILD_FILES = 4096, 32  # RLIMIT_NOFILE; the launcher sets the first one

# Frame kinds.
LOAD, UPLOAD, CALL, TEXT, PREPARE, LOOP, APPLY = 1, 2, 3, 4, 5, 6, 7
READY, HANDLE, VALUE, FAULT, ANSWER, ANSWERS = 16, 17, 18, 19, 20, 21
# Tags of faults.
SYNTAX, INTERFACE, RAISED, MEMORY, PRELUDE = range(5)

LENGTH = struct.Struct("<I")
INTEGER = struct.Struct("<IBBHq")  # a head, then one integer
WORD = struct.Struct("<q")
WIDEST = 8  # dimensions
LARGEST = 64 << 20  # bytes of a returned array
MOST = LARGEST // 8  # numbers in a returned list, which becomes an array
NAME = "<candidate>"
TRUSTED = "<prelude>"
OURS = ("worker.py", TRUSTED)  # the code that calls the candidate

FORK, REAP = 1, 2  # orders to the zygote
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 4, 22, 2
ADDR_NO_RANDOMIZE = 0x0040000

VALUES = ""  # Go puts the text of pacebench/values.py here
values = types.ModuleType("values")  # pacebench.values; empty without NumPy

PLAIN: set[type] = {int}  # exact types of integers that struct packs as they are


# --- zygote -----------------------------------------------------------------------------


class Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("count", ctypes.c_ushort), ("program", ctypes.c_char_p)]


class Order(ctypes.Structure):
    """A request of Go to the zygote: FORK with a child's limits, or REAP with a pid."""

    _fields_ = [
        ("kind", ctypes.c_int32),
        ("pid", ctypes.c_int32),
        ("address_space", ctypes.c_uint64),
        ("cpu", ctypes.c_uint64),
    ]


class Report(ctypes.Structure):
    """The answer to an order: a pid or -1, and for REAP how the child ended."""

    _fields_ = [
        ("pid", ctypes.c_int32),
        ("status", ctypes.c_int32),
        ("usage", ctypes.c_long * 18),  # struct rusage
    ]


class Pair(ctypes.Structure):
    """struct cmsghdr with one or two descriptors."""

    _fields_ = [
        ("size", ctypes.c_size_t),
        ("level", ctypes.c_int),
        ("type", ctypes.c_int),
        ("first", ctypes.c_int),
        ("second", ctypes.c_int),
    ]


class Span(ctypes.Structure):
    """struct iovec."""

    _fields_ = [("base", ctypes.c_void_p), ("size", ctypes.c_size_t)]


class Message(ctypes.Structure):
    """struct msghdr."""

    _fields_ = [
        ("name", ctypes.c_void_p),
        ("name_size", ctypes.c_uint32),
        ("spans", ctypes.POINTER(Span)),
        ("span_count", ctypes.c_size_t),
        ("control", ctypes.POINTER(Pair)),
        ("control_size", ctypes.c_size_t),
        ("flags", ctypes.c_int),
    ]


class Zygote:
    """Carries out Go's orders one by one, and forks children that are all alike.

    Sets of plain objects iterate in the order of addresses. Every child must therefore begin with
    the same heap, whichever candidates ran before it or run at the same time. So each step of the
    loop in serve frees everything that it allocated. Messages are in buffers made beforehand, and
    the C library is called directly, without Python's hooks before and after a fork.
    """

    def __init__(self) -> None:
        self.libc = ctypes.PyDLL(None, use_errno=True)
        self.libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
        # If wait4 returned a number, its object would change the order of free memory.
        self.libc.wait4.restype = None
        config = json.loads(os.read(CONTROL, 1 << 16))
        for name in config["modules"]:
            importlib.import_module(name)
        if "numpy" in config["modules"]:
            global np  # the analyser runs without it
            np = sys.modules["numpy"]
            PLAIN.add(np.int64)
            exec(compile(VALUES, "<values>", "exec"), values.__dict__)
            values.with_numpy(np, lenient=True)
            settle()
        program = base64.b64decode(config["filter"])
        self.filter = Filter(len(program) // 8, program)
        self.confine_processes = bool(config["user_namespace"])
        self.pid = os.getpid()
        self.order, self.report, self.pair = Order(), Report(), Pair()
        self.orders = self.message(self.order)
        self.reports = self.message(self.report)
        warnings.simplefilter("ignore")  # no user would see them
        greeting = {
            "python": ".".join(str(part) for part in sys.version_info[:3]),
            "numpy": np.__version__ if np else "",
            "fixed": self.libc.personality(-1) & ADDR_NO_RANDOMIZE != 0,
        }
        os.write(CONTROL, json.dumps(greeting).encode())
        # Go measures this process, and then writes a byte. After the prctl below, no other process
        # of this user can open the descriptors or the memory of this process or its children.
        os.read(CONTROL, 1)
        if self.libc.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0):
            raise OSError(ctypes.get_errno(), "prctl")
        del config, program, greeting
        # A child's garbage collections skip frozen objects, so they do not copy the pages that the
        # child shares with the zygote.
        gc.collect()
        gc.freeze()

    def message(self, content: Order | Report) -> Message:
        """Return a message with this content and room for two descriptors."""
        span = Span(ctypes.addressof(content), ctypes.sizeof(content))
        spans, control = ctypes.pointer(span), ctypes.pointer(self.pair)
        return Message(None, 0, spans, 1, control, 0, 0)

    def serve(self) -> None:
        """Carry out orders until Go closes the control socket. Returns only in children."""
        libc, order, report, pair = self.libc, self.order, self.report, self.pair
        orders, reports = ctypes.byref(self.orders), ctypes.byref(self.reports)
        status = ctypes.byref(report, Report.status.offset)
        usage = ctypes.byref(report, Report.usage.offset)
        while True:
            self.orders.control_size = 24
            if libc.recvmsg(CONTROL, orders, 0) <= 0:
                os._exit(0)
            if order.kind == REAP:
                report.pid = order.pid
                libc.wait4(order.pid, status, 0, usage)
                self.reports.control_size = 0
                libc.sendmsg(CONTROL, reports, 0)
                continue
            report.pid = libc.fork()
            if report.pid == 0:
                return
            libc.close(pair.first)
            libc.close(pair.second)
            if report.pid < 0:
                report.status = ctypes.get_errno()
                self.reports.control_size = 0
                libc.sendmsg(CONTROL, reports, 0)
                continue
            pair.first = os.pidfd_open(report.pid)
            pair.size = 20
            self.reports.control_size = 24
            libc.sendmsg(CONTROL, reports, 0)
            libc.close(pair.first)

    def narrow(self) -> str:
        """Give this child its own descriptors and limits, and fewer system calls.

        Returns the first problem, or "". The kernel gives received descriptors rising numbers, so
        neither dup2 overwrites the other descriptor.
        """
        os.dup2(self.pair.first, REQUEST, False)
        os.dup2(self.pair.second, REPLY, False)
        os.dup2(1, 2, False)
        os.closerange(5, ZYGOTE_FILES)
        # fork clears the parent-death signal; the zygote may have ended in between.
        if self.libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0):
            return "the parent-death signal cannot be set"
        if os.getppid() != self.pid:
            os._exit(1)
        space, cpu = self.order.address_space, self.order.cpu
        limits = {"AS": space, "CPU": cpu, "NOFILE": CHILD_FILES}
        if self.confine_processes:
            limits["NPROC"] = 0
        for name, value in limits.items():
            which = getattr(resource, "RLIMIT_" + name)
            most = resource.getrlimit(which)[1]
            if most != resource.RLIM_INFINITY:
                value = min(value, most)
            hard = value
            if name == "CPU" and value > 1:
                value -= 1  # the soft limit sends SIGXCPU, which names the cause; SIGKILL would not
            try:
                resource.setrlimit(which, (value, hard))
            except (OSError, ValueError) as error:
                return f"RLIMIT_{name} cannot be set to {value}: {error}"
        if self.filter.count:
            program = ctypes.addressof(self.filter)
            if self.libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
                return "the system calls cannot be filtered"
        # Every candidate must find the same memory.
        for left in (self.order, self.report, self.pair):
            ctypes.memset(ctypes.addressof(left), 0, ctypes.sizeof(left))
        return ""


def settle() -> None:
    """Seed NumPy's generators, which would otherwise take entropy from the operating system.

    A prelude may seed them again. Entropy that Python itself requests (random.seed() and
    random.Random() without a seed, os.urandom, secrets) cannot be replaced here.
    """
    np.random.seed(0)
    # For default_rng() without a seed: its generators differ from each other, but not between runs.
    np.random.bit_generator.randbits = random.Random(0).getrandbits


# --- child ------------------------------------------------------------------------------

Questions = Generator[tuple[Any, ...], int, None]  # yields arguments, gets answers


class Child:
    """One loaded module that answers calls."""

    def __init__(self, problem: str) -> None:
        self.problem = problem  # of the process itself; "" for none
        self.function: Callable[..., Any] = type(None)
        # The prelude may define these two.
        self.questions: Callable[..., Questions] | None = None
        self.adapter: Callable[..., Callable[..., Any]] | None = None
        self.uploads: list[Any] = []
        self.stage = RAISED  # the tag for a fault in the present stage

    def run(self) -> NoReturn:
        """Answer requests until the first fault."""
        requests = {
            CALL: self.call,
            UPLOAD: self.upload,
            TEXT: self.text,
            LOAD: self.load,
            PREPARE: self.prepare,
            LOOP: self.loop,
            APPLY: self.apply,
        }
        while True:
            frame, kind, count, sequence = receive(UPLOAD)
            try:
                requests[kind](frame, count, sequence)
            except BaseException as error:
                fail(self.stage, sequence, error)

    def prepare(self, frame: bytes, _: int, sequence: int) -> None:
        """Run the trusted prelude, before the candidate is loaded."""
        if self.problem:
            stop(PRELUDE, sequence, self.problem)
        self.stage = PRELUDE
        random.seed(0)  # see settle
        prelude = str(frame[HEAD.size :], "utf-8")
        names: dict[str, Any] = {"__name__": "prelude"}
        exec(compile(prelude, TRUSTED, "exec"), names)
        self.questions = names.get("questions")
        self.adapter = names.get("adapter")
        send(READY, 0, sequence)

    def load(self, frame: bytes, _: int, sequence: int) -> None:
        """Run the candidate as a module and find its function."""
        (size,) = LENGTH.unpack_from(frame, HEAD.size)
        at = HEAD.size + LENGTH.size + size
        name, source = str(frame[at - size : at], "utf-8"), frame[at:]
        self.stage = SYNTAX
        code = compile(str(source, "utf-8"), NAME, "exec", 0, True)
        self.stage = RAISED
        module = types.ModuleType("candidate")
        sys.modules["candidate"] = module
        exec(code, module.__dict__)
        if name not in module.__dict__:
            stop(INTERFACE, sequence, f"function {name} is missing")
        self.function = module.__dict__[name]
        if not callable(self.function):
            kind = named(type(self.function))
            stop(INTERFACE, sequence, f"{name} is not a function but of type {kind}")
        if self.adapter:
            self.function = self.adapter(self.function)
        send(READY, 0, sequence)

    def upload(self, frame: bytes, count: int, sequence: int) -> None:
        """Keep an array for later calls. Its data is read directly into the array."""
        plan = make_plan(frame[HEAD.size : HEAD.size + count])
        unpack, end, ((_, tag, dtype),) = plan
        shape = unpack(frame, HEAD.size + count)
        if tag != ARRAY:
            shape = struct.unpack_from(f"<{shape[0]}q", frame, end)
            end += 8 * len(shape)
        array = np.empty(shape, dtype)
        complete(memoryview(array.reshape(-1).view("u1")), frame[end:])
        self.uploads.append(array)
        send(HANDLE, 0, sequence, WORD.pack(len(self.uploads) - 1))

    def call(self, frame: bytes, count: int, sequence: int) -> None:
        """Call the function once. The usual answer, an integer, takes the fastest path."""
        arguments = decode(frame, count, self.uploads)
        try:
            value = self.function(*arguments)
        except TypeError as error:
            self.blame(error)
            raise
        if type(value) in PLAIN:
            try:
                os.write(REPLY, INTEGER.pack(8, VALUE, INT, sequence, value))
                return
            except struct.error:
                pass  # it is too large
        tag, payload = classify(value)
        send(VALUE, tag, sequence, *payload)

    def apply(self, frame: bytes, _: int, sequence: int) -> None:
        """Call the function once for a task in Python: any values of pacebench.values may cross."""
        arguments, keywords = values.unpack(frame, HEAD.size, self.uploads)
        try:
            value = self.function(*arguments, **keywords)
        except TypeError as error:
            self.blame(error)
            raise
        try:
            tag, data = PACKED, values.pack(value)
        except MemoryError:
            raise
        except values.Unfit as error:
            tag, data = OTHER, str(error).encode(errors="replace")
        except BaseException:
            tag, data = OTHER, values.a(type(value)).encode(errors="replace")
        send(VALUE, tag, sequence, WORD.pack(len(data)), data)

    def loop(self, frame: bytes, count: int, sequence: int) -> None:
        """Call the function with each of the prelude's questions, and send all answers.

        The last answer is sent as in call. All earlier answers are integers, because another
        question follows only an integer. The function is called at the same depth of the stack as
        in call, so that its tracebacks and its limit of recursion are the same.
        """
        questions = self.questions(*decode(frame, count, self.uploads))
        answers = []
        arguments = next(questions)
        while True:
            try:
                value = self.function(*arguments)
            except TypeError as error:
                self.blame(error)
                raise
            if type(value) in PLAIN:
                answer = int(value)
            else:
                tag, payload = classify(value)
                if tag != INT:
                    break
                value = answer = int.from_bytes(payload[0], "little", signed=True)
            try:
                arguments = questions.send(answer)
            except StopIteration:
                tag, payload = classify(value)
                break
            answers.append(answer)
        head = struct.pack(f"<I{len(answers)}q", len(answers), *answers)
        send(ANSWERS, tag, sequence, head, *payload)

    def blame(self, error: TypeError) -> None:
        """Note that the call failed before the candidate's code ran: wrong parameters."""
        last = error.__traceback__
        while last and last.tb_next:
            last = last.tb_next
        if last is None or last.tb_frame.f_code.co_filename in OURS:
            self.stage = INTERFACE

    def text(self, frame: bytes, _: int, sequence: int) -> None:
        """Call a trusted function with a text, and send its result as JSON."""
        result = self.function(str(frame[HEAD.size :], "utf-8"))
        answer = json.dumps(result, separators=(",", ":"))
        send(ANSWER, 0, sequence, answer.encode())


def classify(value: Any) -> tuple[int, tuple[Any, ...]]:
    """Return the tag and the payload of an object. It uses type(), because __class__ can lie."""
    kind = type(value)
    try:
        if kind is bool or kind is np.bool_:
            return BOOL, (WORD.pack(1 if value else 0),)
        if value is None:
            return NONE, (WORD.pack(0),)
        if issubclass(kind, (float, np.floating)):
            return FLOAT, (struct.pack("<d", value),)
        if issubclass(kind, np.timedelta64):
            return other(named(kind))
        try:
            number = operator.index(value)
        except TypeError:
            return classify_array(value)
        if -(1 << 63) <= number < 1 << 63:
            return INT, (WORD.pack(number),)
        return other("int too large")
    except MemoryError:
        raise
    except BaseException:
        return other(named(kind))


def other(name: str) -> tuple[int, tuple[Any, ...]]:
    """Return the tag and the payload of an object that is not a value: the name of its type."""
    text = name.encode(errors="replace")
    return OTHER, (WORD.pack(len(text)), text)


def classify_array(value: Any) -> tuple[int, tuple[Any, ...]]:
    """Return an array or a sequence of real numbers as an array of one of DTYPES, in C order."""
    if type(value) is not np.ndarray and announced(value) > MOST:
        return other("array too large")
    array = np.asarray(value)
    dtype = array.dtype
    if dtype.kind not in "biuf":
        kind = type(value)
        return other(f"ndarray of {dtype.name}" if kind is np.ndarray else named(kind))
    name = dtype.name
    if name not in DTYPES:
        name = "float32" if dtype.itemsize < 4 else "float64"  # float16, longdouble
    size = array.size * np.dtype(name).itemsize
    if max(size, *array.shape, 0) > LARGEST or array.ndim > WIDEST:
        return other("array too large")
    array = np.array(array, dtype=name, order="C")
    tag, dims = (ARRAY, ()) if array.ndim == 1 else (NESTED, (array.ndim,))
    head = struct.pack(f"<{len(dims) + array.ndim}q", *dims, *array.shape)
    return tag | DTYPES.index(name) << 4, (head, array.tobytes())


def announced(value: Any) -> int:
    """Estimate the count of numbers in nested sequences from the first item of each level."""
    size, depth = 1, 0
    with contextlib.suppress(Exception):
        while depth <= WIDEST and size <= MOST and type(value) is not str:
            if issubclass(type(value), np.ndarray):
                return size * np.ndarray.size.__get__(value)
            size, value, depth = size * len(value), value[0], depth + 1
    return size


def named(kind: type) -> str:
    """Return the name of a type. It does not call the metaclass, which can lie."""
    return type.__dict__["__name__"].__get__(kind)[:TEXT_LIMIT]


def fail(tag: int, sequence: int, error: BaseException) -> NoReturn:
    """Report an exception as a fault, and end. The exception must be the one being handled."""
    try:
        kind, message, line = type(error), "(no message)", 0
        if tag == SYNTAX:
            message, line = refusal(error)
        else:
            trace = sys.exc_info()[2]
            while trace is not None:
                if trace.tb_frame.f_code.co_filename == NAME:
                    line = trace.tb_lineno
                trace = trace.tb_next
            with contextlib.suppress(BaseException):
                message = str(error)
            opencv = named(kind) == "error" and "(-4:Insufficient memory)" in message
            if opencv or issubclass(kind, MemoryError):
                tag = MEMORY
        text = f"line {line}: {named(kind)}" if line else named(kind)
        stop(tag, sequence, f"{text}: {message[:TEXT_LIMIT]}" if message else text)
    except MemoryError:
        os.write(REPLY, HEAD.pack(0, FAULT, MEMORY, sequence))
    os._exit(0)


def refusal(error: BaseException) -> tuple[str, int]:
    """Return CPython's message about a source that does not compile, and the line."""
    if isinstance(error, SyntaxError):
        return str(error.msg), error.lineno or 0
    if isinstance(error, (MemoryError, RecursionError)):
        return "too deeply nested for the parser", 0
    return str(error), 0


def stop(tag: int, sequence: int, message: str) -> NoReturn:
    """Report a fault and end."""
    send(FAULT, tag, sequence, message.encode(errors="replace"))
    os._exit(0)


def main() -> NoReturn:
    """Serve as the zygote, and in each forked process as a child."""
    # A scheduler that ends a job signals all its processes. A candidate that died of such a signal
    # would be blamed for it. So this process ignores signals; its parent ends it.
    for name in ("SIGTERM", "SIGINT", "SIGHUP", "SIGQUIT", "SIGUSR1", "SIGUSR2"):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
    zygote = Zygote()
    zygote.serve()
    try:
        problem = zygote.narrow()
        del zygote
        Child(problem).run()
    finally:
        os._exit(1)


if __name__ == "__main__":
    main()
