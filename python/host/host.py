"""Runs trusted Python that scores candidates; process_linux.go talks to this process.

The process gets a scorer's modules, and then runs functions of the main module, one after another.
Such a function asks Go to call the candidate, which is in another process. Descriptor 0 is
/dev/null, Go keeps the output on 1 and 2 for error messages, 3 brings requests and 4 takes replies.
wire.py defines the frames and the values in them.
"""

# ruff: noqa: BLE001 - Go gets every exception of a scorer

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import signal
import struct
import sys
import traceback
import types
from collections.abc import Sequence
from typing import Any, NoReturn

from wire import *  # Go puts the text of wire.py here

# isort: split
import numpy as np

# Frame kinds, with their bodies.
SETUP = 1  # JSON: modules, main
RUN = 2  # JSON: function, job
ANSWER = 3  # values, the answer to ASK
ABORT = 4  # the other answer to ASK: it ends the run
FORK = 5  # a child answers the next requests
JOIN = 6  # the child's last request
READY = 16  # answers SETUP, FORK (with a pid), JOIN, and ABORT at the end of the run
ASK = 17  # values
DONE = 18  # values, the result of RUN
FAILED = 19  # the error of SETUP or RUN; with the tag ENDED, a child ended by itself
ENDED = 1

PR_SET_PDEATHSIG = 1
JOINED = 86  # exit status after JOIN; not 0, with which a scorer may end its process
MOST = 255  # values in a list
CODES = {np.dtype(name): code for code, name in enumerate(DTYPES)}

INTEGER, REAL = struct.Struct("<q"), struct.Struct("<d")
NOTHING = bytes(8)


class Aborted(BaseException):
    """Ends a run whose candidate has failed. A scorer's `except Exception` does not catch it."""


class Modules(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    """Finds the scorer's modules, which exist only in memory."""

    def __init__(self, sources: dict[str, str]) -> None:
        self.sources = sources

    def find_spec(
        self, fullname: str, _path: object = None, _target: object = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the spec of a module of the scorer, and None for other modules."""
        if fullname not in self.sources:
            return None
        return importlib.util.spec_from_loader(fullname, self, origin=fullname + ".py")

    def is_package(self, fullname: str) -> bool:
        """Report whether the scorer has modules below this one."""
        return any(name.startswith(fullname + ".") for name in self.sources)

    def get_source(self, fullname: str) -> str:
        """Return a module's source, which tracebacks also show."""
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
        self.pid = os.getpid()

    def serve(self) -> NoReturn:
        """Answer requests until Go closes the pipe."""
        while True:
            frame, kind, _, _ = receive()
            if kind == FORK:
                self.fork()
                continue
            if kind == JOIN:
                os._exit(JOINED)
            request = json.loads(frame[HEAD.size :])
            self.aborted = False
            try:
                if kind == SETUP:
                    self.setup(**request)
                    count, body = 0, []
                else:
                    count, body = encode(self.run(**request))
            except BaseException as error:
                if self.aborted:
                    send(READY)
                    continue
                traceback.print_exc()
                send(FAILED, 0, 0, self.explain(error).encode(errors="replace"))
            else:
                if self.aborted or kind == SETUP:
                    send(READY)
                else:
                    send(DONE, count, 0, *body)

    def fork(self) -> None:
        """Let a child answer the next requests, so that its runs leave nothing behind.

        This process waits, and answers again after the child has ended.
        """
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # a scorer may have ignored it
        gc.freeze()  # the child's garbage collections then copy fewer shared pages
        pid = os.fork()
        if pid == 0:
            ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
            if os.getppid() != self.pid:
                os._exit(0)  # the parent has ended meanwhile
            send(READY, 0, 0, INTEGER.pack(os.getpid()))
            return
        _, status = os.waitpid(pid, 0)
        try:
            code = os.waitstatus_to_exitcode(status)
            if code == JOINED:
                send(READY)
            else:
                how = f"signal {-code}" if code < 0 else f"status {code}"
                # The system sends SIGKILL, mostly because memory is short.
                tag = 0 if code == -signal.SIGKILL else ENDED
                send(FAILED, tag, 0, f"its process ended: {how}".encode())
        except OSError:
            os._exit(0)  # Go closed the pipe

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
        """Let Go call the candidate, and return the answer that Go sends."""
        if not self.aborted:
            count, body = encode(values)
            send(ASK, count, 0, *body)
            frame, kind, count, _ = receive()
            if kind == ANSWER:
                return decode(frame, count)
            self.aborted = True
        raise Aborted

    def explain(self, error: BaseException) -> str:
        """Return an exception in one line, with its last place in the scorer's own code."""
        text = f"{type(error).__name__}: {error}"[:TEXT_LIMIT]
        frames = traceback.extract_tb(error.__traceback__)
        for frame in reversed(frames):
            if frame.filename.removesuffix(".py") in self.modules:
                return f"{frame.filename} line {frame.lineno}: {text}"
        return text


def encode(values: Sequence[Any]) -> tuple[int, list[Any]]:
    """Return the number of values, and their bytes in pieces."""
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
        elif kind is memoryview:  # bytes from pacebench.values
            tag, word = PACKED, INTEGER.pack(len(value))
            rest.append(value)
        else:
            raise TypeError(f"a {kind.__name__} cannot be sent")
        kinds.append(tag | code << 4)
        words.append(word)
    return len(values), [b"".join((kinds, *words)), *rest]


if __name__ == "__main__":
    os.set_inheritable(REQUEST, False)
    os.set_inheritable(REPLY, False)
    Host().serve()
