"""Finds the lines of a task that use clocks, entropy, the network or files, for check-task.

A Watch begins before the task file is imported. With crooked clocks, all clocks run fast, begin at
another time and jump whenever they are read, so that a score that depends on time changes.
"""

from __future__ import annotations

import datetime
import os
import random
import sys
import time
from collections.abc import Callable
from typing import Any

from pacebench.files import is_own
from pacebench.task import Function

CLOCK, ENTROPY, NETWORK, WRITES, READS = (
    "clock",
    "entropy",
    "network",
    "writes",
    "reads",
)

# A crooked clock: its offset in seconds (another year, month, day of the week and hour), its speed,
# its smallest jump in seconds, and the number of sizes of jumps, which reach days, so that no
# rounding hides them.
OFF, FAST, JUMP, SIZES = 549 * 86_400 + 25_985.37, 61, 1.37, 6

# Lines of the task by kind of use, and by the used file or, without a file, the line itself.
SEEN: dict[str, dict[str, str]] = {}
ANSWERS: set[str] = set()  # kinds of candidates' answers

# Outside of the task's own folder, files in these folders are ignored. So are files in the
# interpreter's folders, and in the scorers' home, which is a cache.
SYSTEM = ("/usr", "/lib", "/etc", "/proc", "/sys", "/dev")

KINDS = {
    "number": "bool int float complex",
    "sequence": "list tuple ndarray",
    "text": "str bytes",
    "dict": "dict",
}
KIND = {name: kind for kind, names in KINDS.items() for name in names.split()}


class Heard(Function):
    """A candidate whose kinds of answers are recorded."""

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the candidate."""
        answer = super().__call__(*arguments, **keywords)
        name = type(answer).__name__
        if getattr(answer, "shape", None) == ():
            name = "float"
        ANSWERS.add(KIND.get(name, name))
        return answer


class Watch:
    """Observes which clocks, entropy, connections and files a scorer's process uses."""

    def __init__(self, folder: str, crooked: bool) -> None:
        """Begin to observe."""
        self.folder, self.crooked = folder, crooked
        self.looks, self.jumped = 0, 0.0
        prefixes = [
            sys.prefix,
            sys.base_prefix,
            os.environ.get("HOME", "/usr"),
            *SYSTEM,
        ]
        self.common = tuple(os.path.realpath(prefix) + os.sep for prefix in prefixes)
        sys.addaudithook(self.audit)
        self.clocks()
        self.calendar()
        os.urandom = self.noting(os.urandom, ENTROPY)  # type: ignore[assignment]
        random._urandom = os.urandom  # type: ignore[attr-defined]

    def note(self, what: str, direct: bool, detail: str = "") -> None:
        """Record the task's line under the kind `what`. If direct, ignore uses by libraries."""
        frame = sys._getframe(2)
        while frame and not is_own(name := frame.f_code.co_filename, self.folder):
            if direct or name.startswith("<frozen importlib"):
                return  # a library did it
            frame = frame.f_back  # type: ignore[assignment]
        if frame:
            place = f"{name.removeprefix(self.folder + os.sep)}:{frame.f_lineno}"
            SEEN.setdefault(what, {}).setdefault(detail or place, place)

    def noting(self, function: Callable[..., Any], what: str) -> Callable[..., Any]:
        """Return a function that notes its callers."""

        def noted(*arguments: Any) -> Any:
            self.note(what, False)
            return function(*arguments)

        return noted

    def moved(self, now: float, since: float) -> float:
        """Return the time on a crooked clock, with the next jump."""
        if not self.crooked:
            return now
        self.looks += 1
        self.jumped += JUMP * 10 ** (self.looks % SIZES)
        return now + OFF + FAST * (now - since) + self.jumped

    def clocks(self) -> None:
        """Replace the clocks of the module time by clocks that note their use."""
        real = {
            name: getattr(time, name)
            for name in (
                "time",
                "monotonic",
                "perf_counter",
                "process_time",
                "thread_time",
            )
        }

        def clock(name: str, scale: float) -> Callable[[], float]:
            read, since = real[name], real[name]()

            def look() -> float:
                self.note(CLOCK, True)
                shown = self.moved(read(), since)
                return shown if scale == 1 else int(shown * scale)

            return look

        for name in real:
            setattr(time, name, clock(name, 1))
            setattr(time, name + "_ns", clock(name, 1e9))
        self.now = clock("time", 1)

        def dated(function: Callable[..., Any], at: int) -> Callable[..., Any]:
            def look(*arguments: Any) -> Any:
                if len(arguments) > at and arguments[at] is not None:
                    return function(*arguments)
                self.note(CLOCK, True)
                now: Any = self.now()
                if at:
                    now = local(now)
                return function(*arguments[:at], now)

            return look

        local = time.localtime
        for name, at in (
            ("localtime", 0),
            ("gmtime", 0),
            ("ctime", 0),
            ("strftime", 1),
        ):
            setattr(time, name, dated(getattr(time, name), at))

    def calendar(self) -> None:
        """Replace the types of the module datetime by types that use these clocks."""
        watch, real, day = self, datetime.datetime, datetime.date

        class Kind(type):
            def __instancecheck__(cls, value: object) -> bool:
                return isinstance(value, cls.__mro__[1])

        class Datetime(real, metaclass=Kind):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> datetime.datetime:
                watch.note(CLOCK, True)
                return real.fromtimestamp(watch.now(), tz)

            today = now

            @classmethod
            def utcnow(cls) -> datetime.datetime:
                watch.note(CLOCK, True)
                return real.fromtimestamp(watch.now(), datetime.UTC).replace(
                    tzinfo=None
                )

        class Date(day, metaclass=Kind):
            @classmethod
            def today(cls) -> datetime.date:
                watch.note(CLOCK, True)
                return day.fromtimestamp(watch.now())

        datetime.datetime, datetime.date = Datetime, Date  # type: ignore[misc]

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note the files and connections that are opened."""
        if event == "socket.connect":
            self.note(NETWORK, False)
        elif event == "open" and isinstance(arguments[0], (str, bytes, os.PathLike)):
            path = os.path.realpath(os.fsdecode(arguments[0]))
            own = path.startswith(self.folder + os.sep)
            if path.startswith(self.common) and not own:
                return
            writes = arguments[2] & (os.O_WRONLY | os.O_RDWR)
            if writes or not path.endswith((".py", ".pyc")):
                self.note(WRITES if writes else READS, False, path)
