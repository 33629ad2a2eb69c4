"""The process in which trusted Python scores candidates: the other end of process_linux.go.

It gets a scorer's modules, and then runs one function of the main one after the other. Such a
function asks Go for calls of the candidate, which lives elsewhere. Descriptors: 0 is /dev/null, 1
and 2 are kept by Go for its errors, 3 brings requests and 4 takes replies. Frames are a head
(bytes that follow, kind, number of values, two bytes zero) and a body; package wire describes
lists of values.
"""

# ruff: noqa: BLE001 - whatever a scorer raises is told to Go

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import math
import os
import struct
import sys
import traceback
import types
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np

REQUEST, REPLY = 3, 4

# Frame kinds, with the bodies of those that have one.
SETUP = 1  # JSON: modules, main
RUN = 2  # JSON: function, job
ANSWER = 3  # values, the answer to ASK
ABORT = 4  # the answer to ASK that ends the run
READY = 16  # answers SETUP; answers ABORT when the run has ended
ASK = 17  # values
DONE = 18  # values, the result of RUN
FAILED = 19  # what went wrong, for SETUP and RUN

HEAD = struct.Struct("<IBBH")
CHUNK = 1 << 13  # an ordinary request; a larger buffer takes longer to allocate
MOST = 255  # values in a list
TEXT_LIMIT = 2000  # characters of a message; Go shortens further

# Tags of values, and the dtypes of arrays.
INT, FLOAT, BOOL, NONE, ARRAY, NESTED = 0, 1, 2, 3, 4, 7
DTYPES = ["bool", "int8", "int16", "int32", "int64"]
DTYPES += ["uint8", "uint16", "uint32", "uint64", "float32", "float64"]
CODES = {np.dtype(name): code for code, name in enumerate(DTYPES)}

INTEGER, REAL = struct.Struct("<q"), struct.Struct("<d")
NOTHING = bytes(8)

Plan = tuple[Callable[..., Any], int, tuple[tuple[int, int, Any], ...]]
plans: dict[bytes, Plan] = {}


class Aborted(BaseException):
    """Ends a run whose candidate has failed. Not an Exception: a scorer need not know of it."""


class Modules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the scorer's modules, which are in no file."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return how a module of the scorer is loaded, and None for others."""
        if fullname not in self.sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=fullname + ".py")

    def get_source(self, fullname: str) -> str:
        """Return a module's source, for tracebacks too."""
        return self.sources[fullname]

    def get_code(self, fullname: str) -> types.CodeType:
        """Compile a module under the name of a file."""
        return compile(
            self.sources[fullname], fullname + ".py", "exec", dont_inherit=True
        )


class Host:
    """Runs the functions of a scorer."""

    def __init__(self) -> None:
        self.main: Any = None
        self.modules: dict[str, str] = {}
        self.aborted = False

    def serve(self) -> NoReturn:
        """Answer requests until Go closes the pipe."""
        while True:
            kind, _, frame = receive()
            request = json.loads(frame[HEAD.size :])
            self.aborted = False
            try:
                if kind == SETUP:
                    self.setup(**request)
                    count, body = 0, b""
                else:
                    count, body = encode(self.run(**request))
            except BaseException as error:
                if self.aborted:
                    send(READY)
                    continue
                traceback.print_exc()
                send(FAILED, 0, self.explain(error).encode(errors="replace"))
            else:
                if self.aborted or kind == SETUP:
                    send(READY)
                else:
                    send(DONE, count, body)

    def setup(self, modules: dict[str, str], main: str) -> None:
        """Import the scorer."""
        self.modules = modules
        sys.meta_path.insert(0, Modules(modules))
        self.main = importlib.import_module(main)

    def run(self, function: str, job: Any) -> Sequence[Any]:
        """Call one of the scorer's functions."""
        values = getattr(self.main, function)(job, self.ask)
        if values is None:
            return ()
        if not isinstance(values, (list, tuple)):
            raise TypeError(
                f"{function} returned a {type(values).__name__} and not a list"
            )
        return values

    def ask(self, *values: object) -> list[Any]:
        """Have Go ask the candidate, and return what it makes of the answer."""
        if not self.aborted:
            send(ASK, *encode(values))
            kind, count, frame = receive()
            if kind == ANSWER:
                return decode(frame, count)
            self.aborted = True
        raise Aborted

    def explain(self, error: BaseException) -> str:
        """Return an exception in one line, with its place in the scorer's own code."""
        text = f"{type(error).__name__}: {error}"[:TEXT_LIMIT]
        frames = traceback.extract_tb(error.__traceback__)
        for frame in reversed(frames):
            if frame.filename.removesuffix(".py") in self.modules:
                return f"{frame.filename} line {frame.lineno}: {text}"
        return text


def encode(values: Sequence[Any]) -> tuple[int, bytes]:
    """Return the number of values, and the list as bytes."""
    if len(values) > MOST:
        raise ValueError(f"{len(values)} values are more than {MOST}")
    kinds, words, rest = bytearray(), [], []
    for value in values:
        tag, code, word = INT, 0, NOTHING
        kind = type(value)
        if kind is np.ndarray:
            code = CODES.get(value.dtype, -1)
            if code < 0:
                raise TypeError(f"an array of {value.dtype} cannot be sent")
            if value.ndim == 1:
                tag, word = ARRAY, INTEGER.pack(value.size)
            else:
                tag, word = NESTED, INTEGER.pack(value.ndim)
                rest.append(struct.pack(f"<{value.ndim}q", *value.shape))
            rest.append(value.tobytes())
        elif kind is float or isinstance(value, np.floating):
            tag, word = FLOAT, REAL.pack(value)
        elif kind is bool or kind is np.bool_:
            tag, word = BOOL, INTEGER.pack(bool(value))
        elif kind is int or isinstance(value, np.integer):
            word = INTEGER.pack(int(value))
        elif value is None:
            tag = NONE
        elif kind is bytes:
            tag, code, word = ARRAY, DTYPES.index("uint8"), INTEGER.pack(len(value))
            rest.append(value)
        else:
            raise TypeError(f"a {kind.__name__} cannot be sent")
        kinds.append(tag | code << 4)
        words.append(word)
    return len(values), b"".join((kinds, *words, *rest))


def decode(frame: bytes, count: int) -> list[Any]:
    """Return the list in a frame. Arrays are the caller's own, aligned and writable."""
    key = bytes(frame[HEAD.size : HEAD.size + count])
    plan = plans.get(key)
    if plan is None:
        plan = plans[key] = make_plan(key)
    unpack, end, special = plan
    values = list(unpack(frame, HEAD.size + count))
    for index, tag, dtype in special:
        word = values[index]
        if tag == NONE:
            values[index] = None
        elif tag == BOOL:
            values[index] = bool(word)
        elif tag == ARRAY:
            values[index] = np.frombuffer(frame, dtype, word, end).copy()
            end += word * dtype.itemsize
        else:
            shape = struct.unpack_from(f"<{word}q", frame, end)
            end += 8 * len(shape)
            size = math.prod(shape)
            values[index] = np.frombuffer(frame, dtype, size, end).copy().reshape(shape)
            end += size * dtype.itemsize
    return values


def make_plan(key: bytes) -> Plan:
    """Return how to decode values of these types: scalars, where they end, the rest."""
    special: list[tuple[int, int, Any]] = []
    codes = "<"
    for index, kind in enumerate(key):
        tag = kind & 15
        codes += "d" if tag == FLOAT else "q"
        if tag in (ARRAY, NESTED):
            special.append((index, tag, np.dtype(DTYPES[kind >> 4])))
        elif tag not in (INT, FLOAT):
            special.append((index, tag, None))
    scalars = struct.Struct(codes)
    return scalars.unpack_from, HEAD.size + len(key) + scalars.size, tuple(special)


def receive() -> tuple[int, int, bytes]:
    """Read one frame: its kind, its number of values, and all of its bytes."""
    frame = os.read(REQUEST, CHUNK)
    if len(frame) < HEAD.size:
        os._exit(0)  # Go closed the pipe
    size, kind, count, _ = HEAD.unpack_from(frame)
    while len(frame) < HEAD.size + size:
        more = os.read(REQUEST, HEAD.size + size - len(frame))
        if not more:
            os._exit(0)
        frame += more
    return kind, count, frame


def send(kind: int, count: int = 0, body: bytes = b"") -> None:
    """Write one frame."""
    rest = memoryview(HEAD.pack(len(body), kind, count, 0) + body)
    while rest:
        rest = rest[os.write(REPLY, rest) :]


if __name__ == "__main__":
    os.set_inheritable(REQUEST, False)
    os.set_inheritable(REPLY, False)
    Host().serve()
