"""Finds the command pacebench, calls it and reads its events.

Functions import the modules that only they need, because the trusted processes of task files also
import this package and should load little.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from pacebench._progress import Progress

# Flags that are repeated for each value; other flags join their values with commas.
REPEATED = ("run", "set", "pool", "task", "method", "pass_env")

Event = dict[str, Any]  # a line of --events


class Error(Exception):
    """An error of the command, with a hint that says what to do."""

    def __init__(self, text: str, hint: str = "", output: str = "") -> None:
        """Keep the text, the hint and the command's output before the error."""
        super().__init__(text)
        self.hint = hint
        self.output = output

    def __str__(self) -> str:
        """Return the error and the hint, each on its own line."""
        return super().__str__() + (f"\nhint: {self.hint}" if self.hint else "")


def binary() -> str:
    """Return the path of the command, from $PACEBENCH, from the wheel, or from the PATH."""
    import shutil
    from importlib import metadata

    found = os.environ.get("PACEBENCH", "")
    if not found:
        try:
            files = metadata.files("pacebench") or []
        except metadata.PackageNotFoundError:
            files = []
        found = next((str(f.locate()) for f in files if f.name == "pacebench"), "")
    path = shutil.which(found or "pacebench")
    if path is None:
        raise Error(
            f"there is no command {found or 'pacebench'}",
            "install the wheel, or name the binary in the variable PACEBENCH",
        )
    return os.path.abspath(path)


def arguments(flags: Mapping[str, Any]) -> list[str]:
    """Return keywords as flags: max_usd=2 is --max-usd=2. None and False give no flag."""
    made = []
    for key, value in flags.items():
        if isinstance(value, Mapping):
            values = [f"{name}={listed(key, v)}" for name, v in value.items()]
        elif isinstance(value, (list, tuple, range)):
            values = [text(key, v) for v in value]
            if key not in REPEATED:
                values = [",".join(values)]
        else:
            values = [] if value is None or value is False else [text(key, value)]
        made += [f"--{key.replace('_', '-')}={v}" for v in values]
    return made


def listed(key: str, value: Any) -> str:
    """Return a value, or the values of a list, as the text of a setting."""
    if isinstance(value, (list, tuple, range)):
        return ",".join(text(key, v) for v in value)
    return text(key, value)


def text(key: str, value: Any) -> str:
    """Return the value of a flag as text. Raise Error if it is neither a plain value nor a path."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if isinstance(value, (int, float)) or hasattr(value, "__index__"):
        try:
            return str(value)
        except ValueError:
            raise Error(f"{key} is an int that is too long to be written") from None
    kind = "a function" if callable(value) else f"a {type(value).__name__}"
    raise Error(
        f"{key} is {kind} in memory: it has no file that a run could name and check",
        f"write it to a file (in a notebook, with %%writefile my_{key}.py) "
        f'and use {key}="./my_{key}.py"',
    )


def call(words: list[str], progress: Progress | None = None) -> str:
    """Run the command, show its events, and return what it printed, or raise Error.

    Notes and warnings go to stderr. Ctrl-C stops the command as it does in a terminal; then
    KeyboardInterrupt is raised. A second Ctrl-C ends the command immediately.
    """
    import json
    import selectors
    import subprocess

    path = binary()
    for word in words:
        if "\0" in word or not encodable(word):
            raise Error(
                f"{word!r} has a character that no argument of a command can have"
            )
    reading, writing = os.pipe()
    if progress:
        words = [*words[:1], f"--events={writing}", *words[1:]]
    try:
        child = subprocess.Popen(
            [path, *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(writing,),
            process_group=0,  # the terminal must not also send Ctrl-C: Stopping passes it on
        )
    except OSError as error:
        os.close(reading)
        raise Error(f"the command does not start: {error}") from None
    finally:
        os.close(writing)
    assert child.stdout and child.stderr
    output: list[bytes] = []
    problem: list[str] = []
    hint = ""

    note = progress.note if progress else to_stderr

    def message(line: bytes) -> None:
        nonlocal hint
        said = line.decode(errors="replace").rstrip("\n")
        if said.startswith("pacebench: hint: "):
            hint = said.removeprefix("pacebench: hint: ")
        elif problem or said.startswith("pacebench: error: "):
            problem.append(said.removeprefix("pacebench: error: "))
        else:
            note(said)

    def event(line: bytes) -> None:
        if progress:
            progress.see(json.loads(line))

    with selectors.DefaultSelector() as pipes, Stopping(child) as stopping:
        try:
            for pipe, use in (
                (os.fdopen(reading, "rb"), event),
                (child.stdout, output.append),
                (child.stderr, message),
            ):
                os.set_blocking(pipe.fileno(), False)
                pipes.register(pipe, selectors.EVENT_READ, (Lines(), use))
            while pipes.get_map():
                for key, _ in pipes.select():
                    lines, use = key.data
                    data = os.read(key.fd, 1 << 16)
                    for line in lines.feed(data):
                        use(line)
                    if not data:
                        pipes.unregister(key.fileobj)
                        key.fileobj.close()  # type: ignore[union-attr]
            status = child.wait()
        finally:
            if child.poll() is None:
                child.terminate()
                child.wait()
    if stopping.asked:
        raise KeyboardInterrupt
    printed = b"".join(output).decode(errors="replace")
    if status != 0:
        said = "\n".join(problem) or f"the command ended with status {status}"
        raise Error(said, hint, printed)
    return printed


def encodable(word: str) -> bool:
    """Report whether a text can be written as bytes."""
    try:
        os.fsencode(word)
    except UnicodeEncodeError:
        return False
    return True


def to_stderr(line: str) -> None:
    """Print a note or a warning."""
    print(line, file=sys.stderr)


class Lines:
    """Divides the data read so far into lines."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self.rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that are now complete. Empty data ends the last line."""
        *lines, self.rest = (self.rest + data).split(b"\n")
        if not data and self.rest:
            lines, self.rest = [*lines, self.rest], b""
        return [line + b"\n" for line in lines]


class Stopping:
    """Passes Ctrl-C on to the command. Only the main thread can handle signals."""

    def __init__(self, child: Any) -> None:
        """Take the process to stop."""
        self.child, self.asked = child, False

    def __enter__(self) -> Self:
        """Begin to handle Ctrl-C."""
        import signal
        import threading

        self.main = threading.current_thread() is threading.main_thread()
        if self.main:
            self.before = signal.signal(signal.SIGINT, self.stop)
        return self

    def stop(self, signal_number: int, _frame: Any) -> None:
        """Pass Ctrl-C on."""
        self.asked = True
        self.child.send_signal(signal_number)

    def __exit__(self, *_: object) -> None:
        """Restore the previous handler of Ctrl-C."""
        import signal

        if self.main:
            signal.signal(signal.SIGINT, self.before)
