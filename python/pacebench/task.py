"""The interface of task files: one Task object and its decorators.

    from pacebench.task import Task, Invalid

    task = Task(goal="minimize", splits={"train": 16, "test": 64})

    @task.template
    def choose(...): ...       # the function to design; its body is the default program

    @task.instance
    def make(split, number): ...

    @task.score
    def measure(instance, choose): ...

A task file is trusted code: it runs with your permissions, as any import does. A program that a
model wrote runs in a confined process; score receives a function that calls the program there.
"""

from __future__ import annotations

import hashlib
import inspect
import operator
import os
import random
import resource
import struct
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from pacebench import values

values.with_numpy(np)

MADE: list[Task] = []  # the Task objects made so far, in order

# Bytes by which the data segment of the scorer's process may grow after a candidate's first call.
MOST_GROWTH = 4 << 30

# How many calls of a stateless candidate are repeated (drawn from this range, without its end), and
# how many bytes these calls may have.
REPEATED, MOST_REPEATED = (1500, 2501), 32 << 20

Decorated = Callable[..., Any]


class Invalid(Exception):
    """Raised for an answer that the task does not accept. The candidate then has a fault."""


class Wrong(Exception):
    """An error in a task file: what is wrong, in which line, and what to do."""

    def __init__(self, text: str, line: int = 0, advice: str = "") -> None:
        """Keep the error. Line 0 means no line."""
        super().__init__(text)
        self.line = line
        self.advice = advice


class Rescore(NamedTuple):
    """How a random score is measured again after the search.

    The `top` programs with the best training scores are scored again. Each instance has
    `replicates` replicates, with random numbers that the search never saw.
    """

    top: int
    replicates: int


class Task:
    """A function to design, the instances to score programs on, and the score."""

    def __init__(
        self,
        *,
        goal: str,
        splits: Mapping[str, int],
        name: str = "",
        cpu: float | Mapping[str, float] = 30,
        wall: float | Mapping[str, float] | None = None,
        memory: int | Mapping[str, int] = 1 << 30,
        modules: Sequence[str] = ("numpy", "math"),
        imports: str | Sequence[str] = "import numpy as np",
        fresh: bool = False,
        stateless: bool = False,
        packages: Sequence[str] = (),
        candidate_packages: Sequence[str] = (),
        files: Sequence[str] = (),
        title: str = "",
        unit: str = "",
        digits: int = 4,
        tolerance: float = 1e-12,
        noisy: Rescore | None = None,
    ) -> None:
        """Describe the task; `pacebench docs your-task` explains each argument.

        The check of the file raises Wrong for an argument with a wrong type or value.
        """
        self.goal, self.splits, self.name = goal, splits, name
        self.cpu, self.wall, self.memory = cpu, wall, memory
        self.modules, self.fresh, self.files = modules, fresh, files
        self.stateless = stateless
        self.imports = (
            imports.split("\n") if isinstance(imports, str) else list(imports)
        )
        self.packages, self.candidate_packages = packages, candidate_packages
        self.title, self.unit, self.digits = title, unit, digits
        self.tolerance = tolerance
        self.noisy = noisy
        caller = sys._getframe(1)
        self.line = caller.f_lineno
        self.folder = os.path.dirname(os.path.abspath(caller.f_code.co_filename))
        self.made: dict[str, Decorated] = {}
        self.references: list[tuple[Decorated, float | None, str]] = []
        MADE.append(self)

    def template(self, function: Decorated) -> Decorated:
        """Decorate the function to design; its body is the default program."""
        return self.once("template", function)

    def instance(self, function: Decorated) -> Decorated:
        """Decorate make(split, number), which returns the instance: a value that can be sent.

        Numbers count from 0 in each split. The same arguments must give the same instance.
        """
        return self.once("instance", function)

    def score(self, function: Decorated) -> Decorated:
        """Decorate measure(instance, candidate), which returns the value in the task's unit.

        measure raises Invalid for an answer that the task does not accept.
        """
        return self.once("score", function)

    def adapter(self, function: Decorated) -> Decorated:
        """Decorate a function that wraps the candidate in the candidate's own process.

        The adapter gets the candidate's function and returns the function that score calls. The
        candidate shares this process and can change the adapter: the adapter must contain no
        secret, and score must check the answers.
        """
        return self.once("adapter", function)

    def evidence(self, function: Decorated) -> Decorated:
        """Decorate show(instance, trace), which returns pictures and texts about a program."""
        return self.once("evidence", function)

    def film(self, function: Decorated) -> Decorated:
        """Decorate film(instance, candidate, show): show(picture) adds a picture to a film."""
        return self.once("film", function)

    def reference(
        self, value: float | None = None, split: str = "train"
    ) -> Callable[[Decorated], Decorated]:
        """Decorate a program to compare with. value is its known value on the split."""
        if callable(value):
            raise Wrong(
                "@task.reference is written without parentheses",
                line_of(value),
                "write @task.reference()",
            )

        def take(function: Decorated) -> Decorated:
            self.references.append((function, value, split))
            return function

        return take

    def once(self, what: str, function: Decorated) -> Decorated:
        """Store a function under the name of its decorator; a second one is an error."""
        if what in self.made:
            raise Wrong(
                f"there are two functions with @task.{what}",
                line_of(function),
                "keep one",
            )
        self.made[what] = function
        return function

    def path(self, name: str) -> str:
        """Return the absolute path of one of the task's files."""
        if name not in self.files:
            raise Wrong(
                f"{name} is not in files",
                sys._getframe(1).f_lineno,
                f'name it: Task(files=["{name}"], ...)',
            )
        return os.path.join(self.folder, name)

    def rng(self, split: str, number: int) -> np.random.Generator:
        """Return a NumPy generator for one instance, seeded from task, split and number."""
        return np.random.default_rng(self.seed(split, number))

    def seed(self, split: str, number: int, replicate: int = 0) -> int:
        """Return the seed for all random numbers of an instance.

        A search uses replicate 0. Other replicates measure a random score again.
        """
        text = f"pacebench.task.v1\0{self.called}\0{split}\0{number}"
        text += f"\0{replicate}" if replicate else ""
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")

    @property
    def called(self) -> str:
        """The task's name, by default the name of its file."""
        file = inspect.getfile(self.made["template"]) if "template" in self.made else ""
        return self.name or file.rpartition("/")[2].removesuffix(".py")

    def instance_of(self, split: str, number: int) -> Any:
        """Return an instance, or only its number without @task.instance."""
        make = self.made.get("instance")
        return make(split, number) if make else number

    def main(self) -> None:
        """Score the template in this process, for debugging: python3 my_task.py calls it."""
        if sys._getframe(1).f_globals["__name__"] != "__main__":
            return  # a run imports the file
        print("No sandbox here: the program runs in the scorer's own process.")
        near = Near(self.made["template"])
        for number in range(self.splits["train"]):
            settle(self.seed("train", number))
            value = self.made["score"](self.instance_of("train", number), near)
            print(f"train {number}: {value[0] if isinstance(value, tuple) else value}")


class Near:
    """A function in the scorer's process with the interface of a candidate."""

    def __init__(self, function: Decorated) -> None:
        """Take the function."""
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the function."""
        return self.function(*arguments, **keywords)

    def keep(self, array: np.ndarray) -> np.ndarray:
        """Return a copy of the array, to pass to the candidate instead of the array."""
        return array.copy()


def line_of(function: Decorated) -> int:
    """Return the line in which a function begins."""
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if code else 0


SEED = random.Random.seed  # as Python has it


def settle(seed: int) -> None:
    """Seed all generators that are used without a seed, including Gymnasium's."""
    entropy = random.Random(seed)

    def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
        SEED(self, entropy.getrandbits(64) if a is None else a, version)

    random.Random.seed = seeded  # type: ignore[method-assign]
    random.seed = random._inst.seed  # type: ignore[attr-defined]
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    np.random.bit_generator.randbits = random.Random(seed).getrandbits


class Growth:
    """Bounds the memory for answers. Above the bound, Python raises MemoryError."""

    def __init__(self) -> None:
        """Begin without a bound."""
        self.most = 0  # bytes of data; 0 before the first call of a candidate

    def bound(self) -> None:
        """Bound the memory from now on. The first call determines the bound."""
        if not self.most:
            with open("/proc/self/statm") as file:
                pages = int(file.read().split()[5])
            self.most = pages * resource.getpagesize() + MOST_GROWTH
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = self.most if hard == resource.RLIM_INFINITY else min(self.most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))

    def release(self) -> None:
        """Lift the bound."""
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


GROWTH = Growth()


class Asked:
    """The calls of a candidate, with short forms of its answers."""

    def __init__(self) -> None:
        """Begin without calls."""
        self.calls: list[tuple[bytes, bytes]] = []
        self.answers = hashlib.sha256()

    def keep(self, question: bytes, answer: memoryview) -> None:
        """Store a call with its answer, or with the length and the digest of a long answer."""
        brief, size = bytes(answer[:65]), struct.pack("<Q", len(answer))
        if len(brief) > 64:
            brief = b"\xff" + size + hashlib.sha256(answer).digest()
        self.answers.update(size + brief)
        self.calls.append((question, brief))

    def again(self, program: str) -> list[bytes]:
        """Return some of the calls with their answers, in the order in which to repeat them.

        Their choice, number and order depend on the program and all its answers, so that no
        program can know them while it answers.
        """
        seed = hashlib.sha256(program.encode() + self.answers.digest()).digest()
        draw = np.random.RandomState(np.frombuffer(seed, "<u4"))
        count, left, parts = draw.randint(*REPEATED), MOST_REPEATED, []
        for index in draw.permutation(len(self.calls))[:count]:
            left -= sum(map(len, self.calls[index]))
            if left < 0 and parts:
                break
            parts += self.calls[index]
        return parts


class Function:
    """A candidate. A call runs the candidate in its own process.

    If the candidate raises an exception, answers too late or ends, it has a fault, and score ends.
    """

    def __init__(
        self, ask: Callable[..., list[Any]], asked: Asked | None = None
    ) -> None:
        """Begin without calls. If asked is given, it stores the calls with their answers."""
        self.ask = ask
        self.asked = asked
        self.calls = 0

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call the candidate with copies of the arguments."""
        try:
            data = values.pack_call(arguments, keywords)
        except values.Unfit as error:
            raise Unsent(
                f"an argument of the candidate cannot be sent: {error}"
            ) from error
        if not self.calls:
            GROWTH.bound()
        self.calls += 1
        (answer,) = self.ask(memoryview(data))
        if self.asked is not None:
            self.asked.keep(data, answer)
        try:
            return values.unpack(answer)
        except values.Broken as error:
            raise Invalid(f"returned what is not a value: {error}") from None

    def keep(self, array: np.ndarray) -> values.Kept:
        """Send an array once, and return the value to pass to the candidate instead of it."""
        if self.asked is not None:
            raise Unsent("a stateless candidate keeps nothing")
        if type(array) is not np.ndarray:
            raise Unsent(f"keep takes a NumPy array, not {values.a(type(array))}")
        return values.Kept(self.ask(array)[0])


class Unsent(Exception):
    """Raised when the task passes a value that cannot be sent."""


def index(value: Any, n: int) -> int:
    """Return value as an int from 0 to n - 1, or raise Invalid."""
    if isinstance(value, (bool, np.bool_)):
        raise Invalid(f"{value} is a bool and not an int from 0 to {n - 1}")
    try:
        number = operator.index(value)
    except TypeError:
        raise Invalid(f"{told(value)} is not an int from 0 to {n - 1}") from None
    if not 0 <= number < n:
        raise Invalid(f"{told(number)} is not from 0 to {n - 1}")
    return number


def ratings(value: Any, n: int) -> np.ndarray:
    """Return value as a float64 array of shape (n,) without NaN, or raise Invalid."""
    rated = array(value, (n,), "float64")
    if np.isnan(rated).any():
        raise Invalid("a rating is NaN")
    return rated


def array(value: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return value as an array of this shape and dtype, or raise Invalid."""
    try:
        made = None if has_text(value) else np.asarray(value)
    except (ValueError, TypeError):
        raise Invalid(f"{told(value)} is not an array of shape {shape}") from None
    if made is None or made.dtype.kind not in "biufc":
        raise Invalid(f"{told(value)} is not an array of numbers")
    if made.shape != tuple(shape):
        raise Invalid(f"an array of shape {made.shape} and not {tuple(shape)}")
    if made.dtype.kind == "c" and np.dtype(dtype).kind != "c":
        raise Invalid("an array of complex numbers")
    return made.astype(dtype)


def has_text(value: Any) -> bool:
    """Report whether a value contains text.

    In an array of texts, NumPy gives every item the size of the longest text.
    """
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if str in kinds or bytes in kinds:
            return True
        return (list in kinds or tuple in kinds) and any(map(has_text, value))
    return isinstance(value, (str, bytes))


def told(value: Any) -> str:
    """Describe a value for a message."""
    if isinstance(value, str) and len(value) >= 60:
        return "a str"
    if value is None or isinstance(value, (int, float, str)) and len(repr(value)) < 60:
        return repr(value)
    return values.a(type(value))
