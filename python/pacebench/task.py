"""What a task file imports: one Task object and five decorators.

    from pacebench.task import Task, Invalid

    task = Task(goal="minimize", splits={"train": 16, "test": 64})

    @task.template
    def choose(...): ...       # the function to design; its body is the default program

    @task.instance
    def make(split, number): ...

    @task.score
    def measure(instance, choose): ...

A task file is trusted code: it runs with your rights, as any import does. Programs that models
write run elsewhere, and the function that score gets is only a way to call them.
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

MADE: list[Task] = []  # the tasks of a file, in order

# Bytes by which the data of the scorer's process may grow after the candidate's first call.
MOST_GROWTH = 4 << 30

# How many calls of a stateless candidate are repeated, at least and less than, and their bytes.
REPEATED, MOST_REPEATED = (1500, 2501), 32 << 20

Decorated = Callable[..., Any]


class Invalid(Exception):
    """Says why an answer is outside of the task's contract. The candidate has a fault."""


class Wrong(Exception):
    """Says what is wrong with a task file, in which line, and what to do."""

    def __init__(self, text: str, line: int = 0, advice: str = "") -> None:
        """Keep all three; line 0 is none."""
        super().__init__(text)
        self.line = line
        self.advice = advice


class Rescore(NamedTuple):
    """How a score that draws is measured again when a search ends: of the top programs of the
    training split, each with so many replicates, whose draws no program has seen.
    """

    top: int
    replicates: int


class Task:
    """A function to design, the instances that programs are tried on, and their score."""

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
        """Say what the task is; `pacebench docs your-task` has each argument."""
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
        """Take the function to design, with its default program."""
        return self.once("template", function)

    def instance(self, function: Decorated) -> Decorated:
        """Take what makes the instance of a split and a number."""
        return self.once("instance", function)

    def score(self, function: Decorated) -> Decorated:
        """Take what measures a candidate on an instance."""
        return self.once("score", function)

    def adapter(self, function: Decorated) -> Decorated:
        """Take what stands before the candidate in its own process.

        It gets the candidate's function and returns the one that score calls. It is trusted, but
        the candidate may change it: it must know nothing that a candidate may not know, and score
        checks what it returns.
        """
        return self.once("adapter", function)

    def evidence(self, function: Decorated) -> Decorated:
        """Take what shows how a program behaved, from the trace that score left."""
        return self.once("evidence", function)

    def film(self, function: Decorated) -> Decorated:
        """Take what shows a program at work."""
        return self.once("film", function)

    def reference(
        self, value: float | None = None, split: str = "train"
    ) -> Callable[[Decorated], Decorated]:
        """Take a program to compare with, and its value on a split if that is known."""
        if callable(value):
            raise Wrong(
                "@task.reference has no brackets",
                line_of(value),
                "write @task.reference()",
            )

        def take(function: Decorated) -> Decorated:
            self.references.append((function, value, split))
            return function

        return take

    def once(self, what: str, function: Decorated) -> Decorated:
        """Keep a function under the name of its decorator."""
        if what in self.made:
            raise Wrong(
                f"there are two functions with @task.{what}",
                line_of(function),
                "keep one",
            )
        self.made[what] = function
        return function

    def path(self, name: str) -> str:
        """Return the whole path of one of the task's files."""
        if name not in self.files:
            raise Wrong(
                f"{name} is not in files",
                sys._getframe(1).f_lineno,
                f'name it: Task(files=["{name}"], ...)',
            )
        return os.path.join(self.folder, name)

    def rng(self, split: str, number: int) -> np.random.Generator:
        """Return a generator of random numbers of an instance's own."""
        return np.random.default_rng(self.seed(split, number))

    def seed(self, split: str, number: int, replicate: int = 0) -> int:
        """Return the number from which all that is random in an instance follows.

        Replicate 0 is what a search sees; later ones draw anew in score.
        """
        text = f"pacebench.task.v1\0{self.called}\0{split}\0{number}"
        text += f"\0{replicate}" if replicate else ""
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:16], "big")

    @property
    def called(self) -> str:
        """The task's name: without one of its own, that of its file."""
        file = inspect.getfile(self.made["template"]) if "template" in self.made else ""
        return self.name or file.rpartition("/")[2].removesuffix(".py")

    def instance_of(self, split: str, number: int) -> Any:
        """Return an instance, made of values that can be sent."""
        make = self.made.get("instance")
        return make(split, number) if make else number

    def main(self) -> None:
        """Score the template in this process, for debugging: at the end of a file that is run."""
        if sys._getframe(1).f_globals["__name__"] != "__main__":
            return  # it is imported, as for a run
        print("Nothing protects here: the program runs in the scorer's own process.")
        near = Near(self.made["template"])
        for number in range(self.splits["train"]):
            settle(self.seed("train", number))
            value = self.made["score"](self.instance_of("train", number), near)
            print(f"train {number}: {value[0] if isinstance(value, tuple) else value}")


class Near:
    """A function in the scorer's own process, called as a candidate is."""

    def __init__(self, function: Decorated) -> None:
        """Begin with the function."""
        self.function = function

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        """Call it."""
        return self.function(*arguments, **keywords)

    def keep(self, array: np.ndarray) -> np.ndarray:
        """Return an array that may be passed in later calls."""
        return array.copy()


def line_of(function: Decorated) -> int:
    """Return the line in which a function begins."""
    code = getattr(function, "__code__", None)
    return code.co_firstlineno if code else 0


def settle(seed: int) -> None:
    """Make what is drawn without a seed follow from this one: Gymnasium's draws, too."""
    random.seed(seed)
    np.random.seed(seed & 0xFFFFFFFF)
    np.random.bit_generator.randbits = random.Random(seed).getrandbits


class Growth:
    """Bounds the memory that answers take in this process: beyond it Python raises MemoryError."""

    def __init__(self) -> None:
        """Begin without a bound."""
        self.most = 0  # bytes of data; 0 before the first call of a candidate

    def bound(self) -> None:
        """Bound what comes from now on. The first call decides how much that is."""
        if not self.most:
            with open("/proc/self/statm") as file:
                pages = int(file.read().split()[5])
            self.most = pages * resource.getpagesize() + MOST_GROWTH
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        soft = self.most if hard == resource.RLIM_INFINITY else min(self.most, hard)
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))

    def release(self) -> None:
        """Lift the bound, for what the task itself does."""
        _, hard = resource.getrlimit(resource.RLIMIT_DATA)
        resource.setrlimit(resource.RLIMIT_DATA, (hard, hard))


GROWTH = Growth()


class Asked:
    """The questions that a candidate was asked, and its answers in brief."""

    def __init__(self) -> None:
        """Begin without a question."""
        self.calls: list[tuple[bytes, bytes]] = []
        self.answers = hashlib.sha256()

    def keep(self, question: bytes, answer: memoryview) -> None:
        """Keep a question, and a short answer; of a long one the length and the digest."""
        brief, size = bytes(answer[:65]), struct.pack("<Q", len(answer))
        if len(brief) > 64:
            brief = b"\xff" + size + hashlib.sha256(answer).digest()
        self.answers.update(size + brief)
        self.calls.append((question, brief))

    def again(self, program: str) -> list[bytes]:
        """Return some of the questions, each with its answer, as they are asked again.

        Which, how many and in which order depends on the program and all its answers, so no
        program knows it while it answers.
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
    """The way to a candidate: calling it calls the candidate in its own process."""

    def __init__(
        self, ask: Callable[..., list[Any]], asked: Asked | None = None
    ) -> None:
        """Begin with a candidate that has not been called; asked keeps calls and answers."""
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
        """Send an array once, for this and later calls; what comes back is passed instead."""
        if self.asked is not None:
            raise Unsent("a stateless candidate keeps nothing")
        if type(array) is not np.ndarray:
            raise Unsent(f"keep takes an array and not {values.a(type(array))}")
        return values.Kept(self.ask(array)[0])


class Unsent(Exception):
    """Says that the task passes what cannot be sent."""


def index(value: Any, n: int) -> int:
    """Return an int from 0 to n - 1, or raise Invalid."""
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
    """Return n numbers as float64, none of them NaN, or raise Invalid."""
    rated = array(value, (n,), "float64")
    if np.isnan(rated).any():
        raise Invalid("a rating is NaN")
    return rated


def array(value: Any, shape: tuple[int, ...], dtype: str) -> np.ndarray:
    """Return an array of this shape and type, or raise Invalid."""
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
    """Return whether there is text in a value. NumPy makes each item as wide as the widest text."""
    if isinstance(value, (list, tuple)):
        kinds = set(map(type, value))
        if str in kinds or bytes in kinds:
            return True
        return (list in kinds or tuple in kinds) and any(map(has_text, value))
    return isinstance(value, (str, bytes))


def told(value: Any) -> str:
    """Return a value for a sentence."""
    if isinstance(value, str) and len(value) >= 60:
        return "a str"
    if value is None or isinstance(value, (int, float, str)) and len(repr(value)) < 60:
        return repr(value)
    return values.a(type(value))
