"""The process in which candidates run: a zygote that forks one confined child per candidate.

The launcher (launcher.go) has confined this process before Python started. Descriptors:
0 and 1 are /dev/null, 2 is read by Go, 3 is the control socket, 4 was this file. The zygote
imports the modules it is told to and then forks on request. A child has 0, 1, 2 on
/dev/null, 3 for requests and 4 for replies; it narrows its limits and its system calls
before it reads a byte, runs a trusted prelude and the candidate, and answers calls until
its request pipe ends or the candidate fails. frame.go describes the frames.

Nothing here is a defence: the candidate shares this process and may rewrite it. What holds
it is outside, and Go believes no frame.
"""

# ruff: noqa: BLE001, S102 - whatever a candidate raises is a result, and running it is the purpose

from __future__ import annotations

import base64
import contextlib
import ctypes
import gc
import importlib
import json
import math
import operator
import os
import random
import resource
import select
import signal
import socket
import struct
import sys
import types
import warnings
from collections.abc import Callable
from typing import Any, NoReturn

# Descriptors.
CONTROL = 3
REQUEST, REPLY = 3, 4
ZYGOTE_FILES, CHILD_FILES = 4096, 32  # RLIMIT_NOFILE; the first is set by the launcher

# Frame kinds.
LOAD, UPLOAD, CALL, TEXT = 1, 2, 3, 4
READY, HANDLE, VALUE, FAULT, ANSWER = 16, 17, 18, 19, 20
# Tags of values.
INT, FLOAT, BOOL, NONE, ARRAY, OTHER, HANDLED = range(7)
# Tags of faults.
SYNTAX, INTERFACE, RAISED, MEMORY, PRELUDE = range(5)

HEAD = struct.Struct("<IBBH")  # bytes that follow, kind, tag or count, sequence number
LENGTHS = struct.Struct("<III")
INTEGER = struct.Struct("<IBBHq")  # a head and one integer
NESTED = 0x40  # added to ARRAY: the value counts the dimensions, which precede the data
DTYPES = ["bool", "int8", "int16", "int32", "int64"]
DTYPES += ["uint8", "uint16", "uint32", "uint64", "float32", "float64"]
WIDEST = 8  # dimensions
LARGEST = 64 << 20  # bytes of a returned array
TEXT_LIMIT = 2000  # characters of a message; Go shortens further
CHUNK = (
    1 << 13
)  # an ordinary request; a larger buffer costs half a microsecond to allocate
NAME = "<candidate>"

PR_SET_PDEATHSIG, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 1, 22, 2

np: Any = None  # NumPy where the zygote is told to import it; the analyser needs none
PLAIN: set[type] = {int}  # exact types of integers that struct packs as they are


# --- zygote -----------------------------------------------------------------------------


class Filter(ctypes.Structure):
    """struct sock_fprog."""

    _fields_ = [("count", ctypes.c_ushort), ("program", ctypes.c_char_p)]


class Zygote:
    """Forks children on request and reports how they end."""

    def __init__(self) -> None:
        self.control = socket.socket(fileno=CONTROL)
        config = json.loads(self.control.recv(1 << 16))
        for name in config["modules"]:
            importlib.import_module(name)
        if "numpy" in config["modules"]:
            global np
            np = sys.modules["numpy"]
            PLAIN.add(np.int64)
            settle()
        program = base64.b64decode(config["filter"])
        self.filter = Filter(len(program) // 8, program)
        self.libc = ctypes.CDLL(None, use_errno=True)
        word = ctypes.c_ulong
        self.libc.prctl.argtypes = [ctypes.c_int, word, ctypes.c_void_p, word, word]
        self.confine_processes = bool(config["user_namespace"])
        self.pid = os.getpid()
        # By pidfd: the request's number and the pid.
        self.children: dict[int, tuple[int, int]] = {}
        self.poll = select.poll()
        self.poll.register(CONTROL, select.POLLIN)
        warnings.simplefilter("ignore")  # nobody would read them
        # With the collector's view of the imported modules frozen, a child's collections do not
        # touch, and therefore not copy, the pages it shares with the zygote.
        gc.collect()
        gc.freeze()
        python = ".".join(str(part) for part in sys.version_info[:3])
        numpy = np.__version__ if np else ""
        self.control.send(json.dumps({"python": python, "numpy": numpy}).encode())

    def run(self) -> NoReturn:
        """Serve until the control socket closes, which is when Go ends or lets go."""
        while True:
            for descriptor, _ in self.poll.poll():
                if descriptor == CONTROL:
                    self.fork()
                else:
                    self.reap(descriptor)

    def fork(self) -> None:
        """Start one child on the two descriptors that came with the request."""
        message, descriptors, _, _ = socket.recv_fds(self.control, 64, 2)
        if not message:
            os._exit(0)
        number, address_space, cpu = struct.unpack("<IQQ", message)
        try:
            pid = os.fork()
        except OSError as error:
            self.control.send(struct.pack("<BIi", 3, number, error.errno))
            pid = -1
        if pid == 0:
            try:
                self.narrow(*descriptors, address_space, cpu)
                Child().run()
            finally:
                os._exit(1)  # never back into the zygote's loop
        for descriptor in descriptors:
            os.close(descriptor)
        if pid > 0:
            pidfd = os.pidfd_open(pid)
            self.children[pidfd] = number, pid
            self.poll.register(pidfd, select.POLLIN)
            message = struct.pack("<BIi", 1, number, pid)
            socket.send_fds(self.control, [message], [pidfd])

    def reap(self, pidfd: int) -> None:
        """Collect an ended child and say how it ended."""
        number, pid = self.children.pop(pidfd)
        self.poll.unregister(pidfd)
        os.close(pidfd)
        _, status, usage = os.wait4(pid, 0)
        cpu = int((usage.ru_utime + usage.ru_stime) * 1e6)
        message = struct.pack("<BIiQQ", 2, number, status, cpu, usage.ru_maxrss)
        self.control.send(message)

    def narrow(self, request: int, reply: int, address_space: int, cpu: int) -> None:
        """Turn this fork into a child: own descriptors, own limits, fewer system calls.

        Descriptors are received in rising order, so neither dup2 overwrites the other end.
        """
        os.dup2(request, REQUEST, False)
        os.dup2(reply, REPLY, False)
        os.dup2(1, 2, False)
        os.closerange(5, ZYGOTE_FILES)
        # fork clears the parent-death signal; the zygote may have ended in between.
        if self.libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, None, 0, 0):
            os._exit(1)
        if os.getppid() != self.pid:
            os._exit(1)
        resource.setrlimit(resource.RLIMIT_AS, (address_space, address_space))
        resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu))
        resource.setrlimit(resource.RLIMIT_NOFILE, (CHILD_FILES, CHILD_FILES))
        if self.confine_processes:
            resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
        if self.filter.count:
            program = ctypes.byref(self.filter)
            if self.libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program, 0, 0):
                os._exit(1)


def settle() -> None:
    """Make what is usually drawn from the operating system the same in every run.

    A prelude may seed otherwise. Entropy that Python itself asks for (random.seed() and
    random.Random() without a seed, os.urandom, secrets) is out of reach.
    """
    np.random.seed(0)
    # default_rng() without a seed: generators differ from each other, not from run to run.
    np.random.bit_generator.randbits = random.Random(0).getrandbits


# --- child ------------------------------------------------------------------------------

Plan = tuple[Callable[..., Any], int, tuple[tuple[int, int, Any], ...]]


class Child:
    """One loaded module that answers calls."""

    def __init__(self) -> None:
        self.function: Callable[..., Any] = type(None)
        self.uploads: list[Any] = []
        self.plans: dict[bytes, Plan] = {}
        self.stage = RAISED  # the tag of a fault that happens now

    def run(self) -> NoReturn:
        """Answer requests; the first fault is the end."""
        requests = {
            CALL: self.call,
            UPLOAD: self.upload,
            TEXT: self.text,
            LOAD: self.load,
        }
        while True:
            # Frames are answered one by one, so one read holds no second one.
            frame = os.read(REQUEST, CHUNK)
            if len(frame) < HEAD.size:
                os._exit(0)
            size, kind, count, sequence = HEAD.unpack_from(frame)
            if size != len(frame) - HEAD.size and kind != UPLOAD:
                whole = bytearray(HEAD.size + size)
                complete(memoryview(whole), frame)
                frame = whole
            try:
                requests[kind](frame, count, sequence)
            except BaseException as error:
                fail(self.stage, sequence, error)

    def load(self, frame: bytes, _: int, sequence: int) -> None:
        """Run the prelude, then the candidate as a module, and find its function."""
        self.stage = PRELUDE
        at = HEAD.size + LENGTHS.size
        parts = []
        for size in LENGTHS.unpack_from(frame, HEAD.size):
            parts.append(frame[at : at + size])
            at += size
        name, prelude = str(parts[0], "utf-8"), str(parts[1], "utf-8")
        random.seed(0)  # CPython seeds it anew after a fork; see settle
        exec(compile(prelude, "<prelude>", "exec"), {"__name__": "prelude"})
        self.stage = SYNTAX
        code = compile(str(parts[2], "utf-8"), NAME, "exec", 0, True)
        self.stage = RAISED
        module = types.ModuleType("candidate")
        sys.modules["candidate"] = module
        exec(code, module.__dict__)
        if name not in module.__dict__:
            stop(INTERFACE, sequence, f"function {name} is missing")
        self.function = module.__dict__[name]
        if not callable(self.function):
            kind = named(type(self.function))
            stop(INTERFACE, sequence, f"{name} is no function but of type {kind}")
        send(READY, 0, sequence)

    def upload(self, frame: bytes, count: int, sequence: int) -> None:
        """Keep an array for the calls to come; its data is read where it will stay."""
        plan = make_plan(frame[HEAD.size : HEAD.size + 2 * count])
        unpack, end, ((_, tag, dtype),) = plan
        shape = unpack(frame, HEAD.size + 2 * count)
        if tag != ARRAY:
            shape = struct.unpack_from(f"<{shape[0]}q", frame, end)
            end += 8 * len(shape)
        array = np.empty(shape, dtype)
        complete(memoryview(array.reshape(-1).view("u1")), frame[end:])
        self.uploads.append(array)
        send(HANDLE, 0, sequence, struct.pack("<q", len(self.uploads) - 1))

    def call(self, frame: bytes, count: int, sequence: int) -> None:
        """Call the function once. The common answer, an integer, goes the shortest way."""
        arguments = self.arguments(frame, count)
        try:
            value = self.function(*arguments)
        except TypeError as error:
            # Raised by the call itself, not inside of the candidate: other arguments.
            if error.__traceback__ is None or error.__traceback__.tb_next is None:
                self.stage = INTERFACE
            raise
        if type(value) in PLAIN:
            try:
                os.write(REPLY, INTEGER.pack(8, VALUE, INT, sequence, value))
                return
            except struct.error:
                pass  # too large
        tag, payload = classify(value)
        send(VALUE, tag, sequence, *payload)

    def text(self, frame: bytes, _: int, sequence: int) -> None:
        """Call a trusted function with a text and answer with its result as JSON."""
        result = self.function(str(frame[HEAD.size :], "utf-8"))
        answer = json.dumps(result, separators=(",", ":"))
        send(ANSWER, 0, sequence, answer.encode())

    def arguments(self, frame: bytes, count: int) -> list[Any]:
        """Decode arguments: two bytes of type each, eight of value each, then arrays."""
        key = frame[HEAD.size : HEAD.size + 2 * count]
        if type(key) is not bytes:
            key = bytes(key)
        plan = self.plans.get(key)
        if plan is None:
            plan = self.plans[key] = make_plan(key)
        unpack, end, special = plan
        values = list(unpack(frame, HEAD.size + 2 * count))
        for index, tag, detail in special:
            if tag == HANDLED:
                values[index] = self.uploads[values[index]]
            elif tag == ARRAY:
                # A copy: the array is the candidate's own, aligned and writable.
                size = values[index]
                values[index] = np.frombuffer(frame, detail, size, end).copy()
                end += size * detail.itemsize
            elif tag == NONE:
                values[index] = None
            elif tag == BOOL:
                values[index] = bool(values[index])
            else:
                shape = struct.unpack_from(f"<{values[index]}q", frame, end)
                end += 8 * len(shape)
                size = math.prod(shape)
                array = np.frombuffer(frame, detail, size, end).copy()
                values[index] = array.reshape(shape)
                end += size * detail.itemsize
        return values


def make_plan(key: bytes) -> Plan:
    """Return how to decode arguments of these types: scalars, where they end, the rest."""
    special = []
    codes = "<"
    for index in range(0, len(key), 2):
        tag, detail = key[index], key[index + 1]
        codes += "d" if tag == FLOAT else "q"
        if tag & ~NESTED == ARRAY:
            special.append((index // 2, tag, np.dtype(DTYPES[detail])))
        elif tag not in (INT, FLOAT):
            special.append((index // 2, tag, None))
    scalars = struct.Struct(codes)
    return scalars.unpack_from, HEAD.size + len(key) + scalars.size, tuple(special)


def classify(value: Any) -> tuple[int, tuple[Any, ...]]:
    """Return tag and payload of a returned object. type() throughout: __class__ may lie."""
    kind = type(value)
    try:
        if kind is bool or kind is np.bool_:
            return BOOL, (b"\1" if value else b"\0",)
        if value is None:
            return NONE, ()
        if issubclass(kind, (float, np.floating)):
            return FLOAT, (struct.pack("<d", value),)
        if issubclass(kind, np.timedelta64):
            return OTHER, (named(kind).encode(),)
        try:
            number = operator.index(value)
        except TypeError:
            return classify_array(value)
        if -(1 << 63) <= number < 1 << 63:
            return INT, (struct.pack("<q", number),)
        return OTHER, (b"int too large",)
    except MemoryError:
        raise
    except BaseException:
        return OTHER, (named(kind).encode(errors="replace"),)


def classify_array(value: Any) -> tuple[int, tuple[Any, ...]]:
    """Return an array or array-like of real numbers as one of DTYPES, in C order."""
    array = np.asarray(value)
    dtype = array.dtype
    if dtype.kind not in "biuf":
        if type(value) is np.ndarray:
            return OTHER, (f"ndarray of {dtype.name}".encode(errors="replace"),)
        return OTHER, (named(type(value)).encode(errors="replace"),)
    name = dtype.name
    if name not in DTYPES:
        name = "float32" if dtype.itemsize < 4 else "float64"  # float16, longdouble
    if array.size * np.dtype(name).itemsize > LARGEST or array.ndim > WIDEST:
        return OTHER, (b"array too large",)
    array = np.array(array, dtype=name, order="C")
    dims = array.shape
    head = struct.pack(f"<BBHI{len(dims)}q", DTYPES.index(name), len(dims), 0, 0, *dims)
    return ARRAY, (head, array.tobytes())


def complete(whole: memoryview, begun: bytes) -> None:
    """Fill a buffer with the bytes that have been read, and the rest from the pipe."""
    whole[: len(begun)] = begun
    rest = whole[len(begun) :]
    while rest:
        count = os.readv(REQUEST, [rest])
        if count == 0:
            os._exit(0)
        rest = rest[count:]


def send(kind: int, tag: int, sequence: int, *parts: Any) -> None:
    """Write one frame."""
    size = sum(len(part) for part in parts)
    rest = memoryview(b"".join([HEAD.pack(size, kind, tag, sequence), *parts]))
    while rest:
        rest = rest[os.write(REPLY, rest) :]


def named(kind: type) -> str:
    """Return the name of a type, whatever its metaclass says."""
    return type.__dict__["__name__"].__get__(kind)[:TEXT_LIMIT]


def fail(tag: int, sequence: int, error: BaseException) -> NoReturn:
    """Report an exception as a fault and end. Called while it is handled."""
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
            if issubclass(kind, MemoryError):
                tag = MEMORY
        text = f"line {line}: {named(kind)}" if line else named(kind)
        stop(tag, sequence, f"{text}: {message[:TEXT_LIMIT]}" if message else text)
    except MemoryError:
        os.write(REPLY, HEAD.pack(0, FAULT, MEMORY, sequence))
    os._exit(0)


def refusal(error: BaseException) -> tuple[str, int]:
    """Return CPython's words on a source that it does not compile, and the line."""
    if isinstance(error, SyntaxError):
        return str(error.msg), error.lineno or 0
    if isinstance(error, (MemoryError, RecursionError)):
        return "too deeply nested for the parser", 0
    return str(error), 0


def stop(tag: int, sequence: int, message: str) -> NoReturn:
    """Report a fault and end."""
    send(FAULT, tag, sequence, message.encode(errors="replace"))
    os._exit(0)


if __name__ == "__main__":
    Zygote().run()
