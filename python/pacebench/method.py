"""The interface of method files, and the driver that runs one. Standard library only.

    def run(search, *, window=4):
        async def one(step):
            return await step.sample(search.problem.prompt, purpose="algorithm/I1")

        for program, outcome in search.stream(lambda: one, window):
            ...

A method file is trusted code: it runs with your permissions. Its process gets one event at a time
and answers with one command, so that only the seed and the answers determine the run. `pacebench
docs your-method` describes the interface, and python/method/conversation.go the protocol.
"""

# ruff: noqa: BLE001 - Go gets every exception of a method

from __future__ import annotations

import ast
import hashlib
import importlib.util
import inspect
import json
import math
import os
import random
import sys
import threading
import time
import traceback
from collections.abc import (
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterator,
    Sequence,
)
from dataclasses import dataclass, field
from typing import Any, BinaryIO, Generic, NoReturn, TypeVar

from pacebench.files import (
    digest_of,
    is_own,
    one_line,
    own_modules,
    run_file,
    shown,
    source_of,
)

VERSION = 1  # of the protocol
EVENTS, COMMANDS = 3, 4  # descriptors

T = TypeVar("T")
Message = dict[str, Any]


class Spent(Exception):
    """Raised by do and consult when no evaluation, or no request, is left."""


class Nondeterministic(RuntimeError):
    """Raised when the method uses something whose values differ between runs."""


class Wrong(Exception):
    """An error in a method file: what is wrong, in which line, and what to do."""

    def __init__(
        self, text: str, line: int = 0, advice: str = "", file: str = ""
    ) -> None:
        """Keep the error. Line 0 means no line, and file "" means the method's file."""
        super().__init__(text)
        self.line, self.file = line, file
        self.advice = advice


# --- the values of a step ---------------------------------------------------------------------


@dataclass(frozen=True)
class Problem:
    """Describes the task, in texts for prompts. A method learns nothing else about the task."""

    name: str
    task: str  # the task in words
    target: str  # the function to design, its limits and its Python
    answer: str  # the form of an answer: an idea in braces, then code
    code: str  # the form of an answer that is only code
    prompt: str  # task, target and answer: a whole prompt
    function: str  # the name of the function to design
    default: str  # the task's own design, a whole function
    goal: str  # "minimize" or "maximize"; a larger score is better in both cases
    modules: list[str]  # the modules that programs may import


@dataclass(frozen=True)
class Reply:
    """A model's answer to a request."""

    text: str
    model: str = ""
    finish: str = ""
    usage: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Program:
    """The program in a reply. It is false if the reply has no program; `lost` says why."""

    source: str = ""  # complete, as it runs
    code: str = ""  # as in prompts, without the docstring and the added imports
    thought: str = ""  # the idea in braces
    lost: str = ""

    def __bool__(self) -> bool:
        """Report whether there is a program."""
        return not self.lost


@dataclass(frozen=True)
class Evidence:
    """A picture or a text that shows how a program behaved."""

    media_type: str
    digest: str
    text: str = ""  # "" for a picture


@dataclass(frozen=True)
class Outcome:
    """The result of an evaluation. A program without a score has a fault and its detail."""

    score: float | None = None  # larger is better
    values: Sequence[float] = ()  # of the instances, in the task's own unit
    fault: str = ""  # its kind, such as "timeout"; "" for none
    detail: str = ""
    evidence: Sequence[Evidence] = ()

    @property
    def ok(self) -> bool:
        """Report whether the program has a score."""
        return self.score is not None


@dataclass(frozen=True)
class Best:
    """The best program so far, the earliest among equals."""

    source: str
    score: float
    evaluation: int


def outcome_of(event: Message) -> Outcome:
    """Return the outcome in an event."""
    evidence = [Evidence(**e) for e in event.pop("evidence", ())]
    return Outcome(evidence=evidence, **event)


FOLDER = [""]  # of the method file


def place() -> Message:
    """Return the line of the method's own code that is running, and its file."""
    frame = sys._getframe(2)
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(FOLDER[0]):
            return {"line": frame.f_lineno, "file": name[len(FOLDER[0]) :]}
        frame = frame.f_back  # type: ignore[assignment]
    return {}


def named(value: object) -> str:
    """Describe a value for errors."""
    if isinstance(value, Command):
        return f"what step.{value.message['op']} returns before it is awaited"
    return f"a {type(value).__name__}"


class Command(Generic[T]):
    """The object that a job awaits: a request of its step."""

    def __init__(
        self, step: Step, read: Callable[[Message], T], message: Message
    ) -> None:
        """Take the step, whose job must await the command once."""
        self.step, self.read = step, read
        self.message = {**message, **place()}
        step.idle.append(self)

    def __await__(self) -> Generator[Command[T], T, T]:
        """Pass the command to the driver, and return its result."""
        if self not in self.step.idle:
            raise RuntimeError("a step awaits the same call twice")
        self.step.idle.remove(self)
        return (yield self)

    def forgotten(self) -> Wrong:
        """Return the error of a missing await."""
        told = self.message
        return Wrong(
            f"await is missing before step.{told['op']}(...)",
            told.get("line", 0),
            "result = await step." + told["op"] + "(...)",
            told.get("file", ""),
        )

    def __getattr__(self, name: str) -> NoReturn:
        """Raise the error of a missing await: the command is not its result."""
        raise self.forgotten()

    def __iter__(self) -> NoReturn:
        """Refuse to be unpacked."""
        raise self.forgotten()


class Step:
    """One step of the run: it asks the model and evaluates programs for a job.

    Every method returns a command, which the job must await once. The engine writes a step to the
    journal as a whole.
    """

    def __init__(self, search: Search, number: int, evaluations: int) -> None:
        """Begin with this many evaluations reserved."""
        self.number = number
        self.idle: list[Command[Any]] = []  # not awaited yet
        self._search, self._left, self._over = search, evaluations, False
        self._rand: random.Random | None = None

    def ask(
        self,
        prompt: str,
        purpose: str,
        temperature: float = 1.0,
        max_tokens: int = 8192,
        images: Sequence[Evidence] = (),
    ) -> Awaitable[Reply]:
        """Ask the model, and get a Reply.

        The purpose of a request for a program is "algorithm/OPERATOR".
        """
        asked = request(prompt, purpose, temperature, max_tokens, images)
        return Command(self, lambda e: Reply(**e["reply"]), {"op": "ask", **asked})

    def extract(self, reply: Reply | str) -> Awaitable[Program]:
        """Get the Program in a Reply or a str."""
        if not isinstance(reply, Reply | str):
            raise TypeError(f"extract takes a Reply or a str, not {named(reply)}")
        text = reply if isinstance(reply, str) else reply.text
        return Command(
            self,
            lambda e: Program(**e["program"]),
            {"op": "extract", "text": text},
        )

    def evaluate(self, program: Program) -> Awaitable[Outcome]:
        """Score a program, and get an Outcome. A step has one evaluation, or none in consult."""
        if not isinstance(program, Program):
            raise TypeError(
                f"evaluate takes a Program, not {named(program)}: step.extract gives one"
            )
        if not program:
            raise ValueError(f"there is no program to evaluate: {program.lost}")
        self._charge()
        return Command(
            self,
            lambda e: outcome_of(e["outcome"]),
            {"op": "evaluate", "source": program.source},
        )

    def sample(
        self,
        prompt: str,
        purpose: str,
        temperature: float = 1.0,
        max_tokens: int = 8192,
        images: Sequence[Evidence] = (),
    ) -> Awaitable[tuple[Reply, Program, Outcome]]:
        """Ask, extract and evaluate, and get (Reply, Program, Outcome).

        Without a program in the reply, the Outcome has no score.
        """
        self._charge()
        asked = request(prompt, purpose, temperature, max_tokens, images)
        return Command(
            self,
            lambda e: (
                Reply(**e["reply"]),
                Program(**e["program"]),
                outcome_of(e["outcome"]),
            ),
            {"op": "sample", **asked},
        )

    def analyze(self, source: str) -> Awaitable[Message]:
        """Analyse a source as CPython does: its functions and modules, or its syntax error."""
        return Command(
            self, lambda e: e["analysis"], {"op": "analyze", "source": source}
        )

    def rand(self) -> random.Random:
        """Return the step's own stream of random numbers."""
        if self._rand is None:
            self._rand = self._search.stream_of(f"step/{self.number}")
        return self._rand

    def note(self, kind: str, **value: Any) -> None:
        """Write a remark of JSON values into the step's line of the journal."""
        if self._over:
            raise RuntimeError(f"step {self.number} has ended: use search.note")
        self._search.remark(kind, value, step=self.number)

    def _charge(self) -> None:
        if self._left < 1:
            raise RuntimeError(
                f"step {self.number} evaluates more than it reserved: one program in "
                "stream and do, none in consult"
            )
        self._left -= 1

    def _end(self) -> None:
        self._over = True
        if self.idle:
            raise self.idle[0].forgotten()


def request(
    prompt: str,
    purpose: str,
    temperature: float,
    max_tokens: int,
    images: Sequence[Evidence],
) -> Message:
    """Return a request in the form of the protocol."""
    asked: Message = {
        "purpose": purpose,
        "prompt": prompt,
        "temperature": temperature,
        "max_tokens": max_tokens,
    }
    if images:
        asked["images"] = [image.digest for image in images]
    return asked


Job = Callable[[Step], Coroutine[Any, Any, Any]]


# --- the search ---------------------------------------------------------------------------


class Search:
    """A method's view of its run: the budget, random streams, steps and the journal."""

    def __init__(self, driver: Driver, start: Message) -> None:
        """Begin with the state in the first event."""
        self.problem = Problem(**start["problem"])
        self.evaluations: int = 0  # charged so far
        self.best: Best | None = None
        self._driver, self._seed, self._left = driver, start["seed"], 0
        self._streams: dict[str, random.Random] = {}
        self.update(start)

    def update(self, event: Message) -> None:
        """Update the state of the run from an event."""
        self.evaluations, self._left = event["evaluations"], event["left"]
        if "best" in event:
            self.best = Best(**event["best"])

    @property
    def spent(self) -> bool:
        """Report whether no evaluation is left."""
        return self._left < 1

    @property
    def left(self) -> int:
        """The evaluations left. A run that reads this cannot have a larger budget later."""
        self._driver.add({"op": "left"})
        return self._left

    def at_most(self, n: int) -> int:
        """Return n, or the number of evaluations left if that is smaller."""
        return min(n, self._left)

    def rand(self, name: str) -> random.Random:
        """Return the random stream with a name, the same object at every call."""
        if name not in self._streams:
            self._streams[name] = self.stream_of(name)
        return self._streams[name]

    def stream_of(self, purpose: str) -> random.Random:
        """Return a new stream of random numbers."""
        text = f"pacebench.rand.v1\0{self._seed}\0{purpose}"
        return random.Random(
            int.from_bytes(hashlib.sha256(text.encode()).digest(), "big")
        )

    def note(self, kind: str, **value: Any) -> None:
        """Write a line into the journal."""
        self.remark(kind, value)

    def remark(self, kind: str, value: Message, **step: int) -> None:
        """Queue a note, which goes out with the next command."""
        self._driver.add(
            {"op": "note", "kind": kind, "value": value, **step, **place()}
        )

    def stream(self, propose: Callable[[], Job | None], window: int) -> Iterator[Any]:
        """Keep up to window jobs in flight, and yield their results in the order proposed.

        `propose` returns the next job, or None to end the stream. The stream also ends when the
        budget is spent.
        """
        if type(window) is not int or window < 1:
            raise ValueError(f"window={window!r}: want an int of at least 1")
        if inspect.iscoroutinefunction(propose) or not callable(propose):
            raise TypeError(
                "stream takes a function that returns a job: search.stream(lambda: job, window)"
            )
        self._driver.unused += 1
        return self._driver.stream(propose, window)

    def do(self, job: Job) -> Any:
        """Do one step with an evaluation now, and return its result, or raise Spent."""
        return self._driver.once("do", job)

    def consult(self, job: Job) -> Any:
        """Do one step without an evaluation, and return its result, or raise Spent."""
        return self._driver.once("consult", job)


@dataclass
class Member:
    """One evaluated program of a population."""

    id: int  # the number of its evaluation
    program: Program
    score: float | None
    fitness: float  # the score; -inf for a failed program, or a known code or score

    @property
    def code(self) -> str:
        """Return the code that prompts show."""
        return self.program.code

    @property
    def thought(self) -> str:
        """Return the idea in braces."""
        return self.program.thought


class Population:
    """Keeps the `size` fittest programs. New programs wait until there are `size` of them.

    Then members and waiting programs compete for the places. EoH, ReEvo and MLES in pacebench have
    the same rules.
    """

    def __init__(self, search: Search, size: int) -> None:
        """Begin empty."""
        if size < 1:
            raise ValueError(f"a population of {size}: want at least 1")
        self.search, self.size, self.generation = search, size, 0
        self.members: list[Member] = []  # fittest first
        self.waiting: list[Member] = []

    def enter(self, program: Program, outcome: Outcome) -> Member | None:
        """Let a program wait, and call survive when `size` programs wait.

        Returns None for a program that is not taken: a reply without a program, a syntax error, or,
        before the first generation, any program without a score.
        """
        failed = outcome.score is None
        if not program or outcome.fault == "syntax" or failed and self.generation == 0:
            return None
        fitness = float("-inf") if outcome.score is None else outcome.score
        for other in self.members + self.waiting:
            if other.code == program.code or other.fitness == outcome.score:
                fitness = float("-inf")
        member = Member(self.search.evaluations, program, outcome.score, fitness)
        self.waiting.append(member)
        if len(self.waiting) >= self.size:
            self.survive()
        return member

    def survive(self) -> None:
        """Let members and waiting programs compete for the places, and note the survivors."""
        everyone = self.members + self.waiting
        self.members = sorted(everyone, key=lambda m: -m.fitness)[: self.size]
        self.waiting, self.generation = [], self.generation + 1
        self.search.note(
            "population",
            generation=self.generation,
            members=[
                {"program": m.id, "filler": m.fitness == float("-inf")}
                for m in self.members
            ],
        )

    @property
    def ranked(self) -> list[Member]:
        """Return the members that can be parents, fittest first."""
        return [m for m in self.members if m.fitness > float("-inf")]

    def select(
        self, rand: random.Random, n: int, distinct: bool = False
    ) -> list[Member]:
        """Draw n parents by rank: of m members, rank r = 0 ... m-1 has the weight 1/(r+m)."""
        ranked, chosen = self.ranked, []
        if not ranked and n > 0:
            raise ValueError("select: no member can be a parent yet; ranked is empty")
        weights = [1 / (r + len(ranked)) for r in range(len(ranked))]
        for _ in range(min(n, len(ranked)) if distinct else n):
            (i,) = rand.choices(range(len(ranked)), weights)
            chosen.append(ranked[i])
            if distinct:
                weights[i] = 0
        return chosen


# --- the driver ---------------------------------------------------------------------------


class Driver:
    """Talks to Go: one event in, one command out."""

    def __init__(self, events: BinaryIO) -> None:
        """Begin the conversation."""
        self.events = events
        self.commands = open(COMMANDS, "wb")  # noqa: SIM115 - open until the process ends
        self.thread = threading.get_ident()
        self.search: Search
        self.failed: BaseException | None = None
        self.over = False
        self.propose: Callable[[], Job | None] | None = None  # of the open stream
        self.room = False  # for one more proposal
        self.steps = 0  # steps begun so far
        self.unused = 0  # streams that no loop has begun to read
        self.aside: tuple[Job, int]  # the job of do or consult, and its evaluations
        self.flights: dict[int, tuple[Coroutine[Any, Any, Any], Command[Any]]] = {}
        self.results: dict[int, Any] = {}
        self.active: Step | None = None  # the step whose code is running

    def receive(self) -> Message:
        """Wait for an event. If the engine has ended, this process ends."""
        line = self.events.readline()
        if not line:
            os._exit(0)
        event: Message = decode(line.decode())
        return event

    def check(self) -> None:
        """Refuse calls from other threads, and calls after a failure."""
        if threading.get_ident() != self.thread:
            self.failed = RuntimeError(
                "two threads use the search: only the thread in which run was called may use it"
            )
        if self.failed:
            raise self.failed

    def add(self, message: Message) -> None:
        """Queue a message that gets no answer. It goes out with the next command."""
        self.check()
        try:
            self.commands.write(encode(message).encode() + b"\n")
        except Wrong as error:
            self.failed = error  # even if the method catches it
            raise

    def send(self, message: Message) -> None:
        """Write a command."""
        self.add(message)
        self.commands.flush()

    def converse(self, command: Message) -> Message:
        """Send a command of the run, serve proposals and steps, and return the answer."""
        if self.active:
            raise RuntimeError(
                f"step {self.active.number} uses the search: it may only use its Step"
            )
        self.send(command)
        while True:
            event = self.receive()
            if "evaluations" in event:
                self.search.update(event)
                self.room = "room" in event
            if event["ev"] in ("committed", "streamed", "spent"):
                return event
            self.send(self.answer(event))

    def answer(self, event: Message) -> Message:
        """Pass an event to the method, and return the method's command."""
        try:
            if event["ev"] == "propose":
                return self.proposal()
            if event["ev"] == "begin":
                return self.begin(*self.aside)
            coroutine, command = self.flights[event["step"]]
            return self.advance(coroutine, command.step, command.read(event))
        except BaseException as error:
            self.failed = error  # even if the method catches it
            raise

    def proposal(self) -> Message:
        """Begin one more job, and return its first command."""
        if self.propose is None:
            raise RuntimeError("no stream is open for a proposal")
        job = self.propose()
        if job is None:
            return {"op": "none"}
        if not callable(job):
            raise TypeError(
                f"propose returned {named(job)}: want an async function that takes "
                "a step, or None"
            )
        if not self.room:  # propose itself has used the room
            return {"op": "next"}
        return self.begin(job, 1)

    def begin(self, job: Job, evaluations: int) -> Message:
        """Begin a step, and return its first command."""
        step = Step(self.search, self.steps, evaluations)
        self.steps += 1
        coroutine = job(step)
        if not inspect.iscoroutine(coroutine):
            code = getattr(job, "__code__", Driver.begin.__code__)
            known = code.co_filename.startswith(FOLDER[0])
            raise Wrong(
                f"a job returned {named(coroutine)}: want an async function that takes a step",
                code.co_firstlineno if known else 0,
                "async def job(step): ...",
                code.co_filename[len(FOLDER[0]) :] if known else "",
            )
        return self.advance(coroutine, step, None)

    def advance(
        self, coroutine: Coroutine[Any, Any, Any], step: Step, value: Any
    ) -> Message:
        """Run a step until its next command."""
        number = step.number
        self.active = step
        try:
            wanted = coroutine.send(value)
        except StopIteration as end:
            step._end()
            self.flights.pop(number, None)
            self.results[number] = end.value
            return {"op": "done", "step": number}
        finally:
            self.active = None
        if not isinstance(wanted, Command) or wanted.step is not step:
            raise TypeError(
                f"a step awaits a {type(wanted).__name__}: only what its Step returns can "
                "be awaited"
            )
        self.flights[number] = coroutine, wanted
        wanted.message["step"] = number
        return wanted.message

    def stream(self, propose: Callable[[], Job | None], window: int) -> Iterator[Any]:
        """Implement Search.stream, which has checked the window."""
        if self.propose:
            raise RuntimeError("a stream is open: its loop must end first")
        self.propose = propose
        self.unused -= 1
        over = False
        try:
            event = self.converse({"op": "stream", "window": window})
            while event["ev"] == "committed":
                yield self.results.pop(event["step"])
                command = (
                    self.answer({"ev": "propose"}) if self.room else {"op": "next"}
                )
                event = self.converse(command)
            over = True
        finally:
            if not over and not self.failed and not self.over:
                self.converse({"op": "break"})
            self.propose = None

    def once(self, op: str, job: Job) -> Any:
        """Implement Search.do and Search.consult."""
        self.aside = job, 1 if op == "do" else 0
        event = self.converse({"op": op})
        if event["ev"] == "spent":
            left = "evaluation" if op == "do" else "request"
            raise Spent(f"no {left} is left: catch Spent where this can happen")
        return self.results.pop(event["step"])

    def run(self, method: Method, start: Message) -> None:
        """Run a method to its end, or send its error."""
        try:
            self.search = Search(self, start)
            method.names["run"](self.search, **method.configured(start["config"]))
            if self.failed:
                raise self.failed
            if self.propose or self.flights:
                raise RuntimeError(
                    "run returned with steps in flight: end the loop first"
                )
            if self.unused:
                raise RuntimeError(
                    "run returned with a stream that no loop reads: for result in "
                    "search.stream(...)"
                )
            self.send({"op": "end", "met": MET})
        except BaseException as error:
            self.fail(error, method)

    def fail(self, error: BaseException, method: Method) -> None:
        """Send the error that ends the method."""
        self.over = True
        self.failed = None
        traceback.print_exception(error)
        told = method.problem_of(error)
        self.send({"op": "error", **told, "met": MET})


def plain(value: Any) -> Any:
    """Return NumPy's scalars as numbers. The encoder calls it for values that it does not know."""
    item = getattr(value, "item", None)
    if item is None or getattr(value, "shape", ()) != ():
        raise TypeError(f"a {type(value).__name__} cannot be written to the journal")
    return item()


ENCODER = json.JSONEncoder(allow_nan=False, default=plain)

# Names of values that JSON cannot represent, by the beginning of Python's error.
UNWRITTEN = {
    "Out of range float": "nan and infinities",
    "Circular reference": "a value that contains itself",
    "maximum recursion": "a value that is nested too deeply",
    "Exceeds the limit": "an int of more than 4300 digits",
}


def encode(message: Message) -> str:
    """Return a message as JSON, or raise Wrong for a value that JSON cannot represent."""
    try:
        return ENCODER.encode(message)
    except (ValueError, TypeError, RecursionError) as error:
        why = str(error)
        for begin, what in UNWRITTEN.items():
            if why.startswith(begin):
                why = what + " cannot be written to the journal"
        call = f"{message['op']} {message.get('kind', '')}".strip()
        raise Wrong(
            f"{call}: {why}", message.get("line", 0), "", message.get("file", "")
        ) from None


decode = json.JSONDecoder().decode


# --- the file -----------------------------------------------------------------------------

KINDS = (bool, int, float, str)


class Method:
    """A method file that has been imported."""

    def __init__(self, path: str) -> None:
        """Take the path. load imports the file."""
        self.path, self.folder = path, os.path.dirname(path)
        FOLDER[0] = self.folder + os.sep
        self.names: dict[str, Any] = {}
        self.defaults: dict[str, Any] = {}

    def check_files(self, digests: dict[str, str]) -> None:
        """Refuse files that have changed since the run began."""
        for path, digest in digests.items():
            if digest_of(path) != digest:
                name = os.path.relpath(path, self.folder)
                raise Wrong(f"{name} has changed since the run began", 0, "restore it")

    def load(self) -> None:
        """Import the file as a module with the file's name."""
        self.names = run_file(self.path, source_of(self.path))
        self.defaults = self.signature()

    def signature(self) -> dict[str, Any]:
        """Return the settings with their defaults: run's keywords."""
        run = self.names.get("run")
        advice = "def run(search, *, window=4): ..."
        if not inspect.isfunction(run) or run.__module__ != self.names["__name__"]:
            raise Wrong("it has no function run", 0, advice)
        line = run.__code__.co_firstlineno
        if inspect.iscoroutinefunction(run) or inspect.isgeneratorfunction(run):
            raise Wrong("run must be a plain function", line, advice)
        parameters = list(inspect.signature(run).parameters.values())
        if (
            not parameters
            or parameters[0].kind is not parameters[0].POSITIONAL_OR_KEYWORD
        ):
            raise Wrong("run has no parameter search", line, advice)
        defaults = {}
        for p in parameters[1:]:
            if p.kind is not p.KEYWORD_ONLY or p.default is p.empty:
                text = f"run's parameter {p.name} is not a keyword with a default"
                raise Wrong(text, line, advice)
            if not is_setting(p.default):
                text = f"run has {p.name}={shown(p.default)}"
                raise Wrong(
                    text,
                    line,
                    "a setting is a bool, an int, a finite float, a str, or a list of these",
                )
            defaults[p.name] = p.default
        return defaults

    def configured(self, config: Message) -> dict[str, Any]:
        """Return the settings with the types of the defaults."""
        return {
            name: type(self.defaults[name])(value) for name, value in config.items()
        }

    def describe(self) -> Message:
        """Return the description of the file for Go."""
        own = [self.path, *own_modules(self.path)]
        title = (self.names.get("__doc__") or "").strip().split("\n")[0].rstrip(".")
        first = next(iter(inspect.signature(self.names["run"]).parameters))
        reads = ast.walk(ast.parse(source_of(self.path)))
        return {
            "title": title,
            "defaults": self.defaults,
            "files": {path: digest_of(path) for path in own},
            "python": f"{sys.version_info[0]}.{sys.version_info[1]}",
            "evidence": bool(self.names.get("EVIDENCE")),
            "scheduled": any(
                isinstance(node, ast.Attribute)
                and node.attr == "left"
                and isinstance(node.value, ast.Name)
                and node.value.id == first
                for node in reads
            ),
        }

    def problem_of(self, error: BaseException) -> Message:
        """Return an error, with the line and the file of the method's own code."""
        told: Message
        if isinstance(error, Wrong):
            return {
                "error": str(error),
                "line": error.line,
                "file": error.file,
                "advice": error.advice,
            }
        if isinstance(error, SyntaxError) and is_own(error.filename or "", self.folder):
            told = {"error": f"SyntaxError: {error.msg}", "line": error.lineno or 0}
            told["file"] = os.path.relpath(error.filename, self.folder)
            if notes := getattr(error, "__notes__", []):
                told["advice"] = notes[0]
            return told
        told = {"error": one_line(error, 500), "line": 0}
        for frame in traceback.extract_tb(error.__traceback__):
            if is_own(frame.filename, self.folder):
                told["line"] = frame.lineno or 0
                told["file"] = os.path.relpath(frame.filename, self.folder)
        return told


def is_setting(value: Any) -> bool:
    """Report whether the command line can set this value."""
    if isinstance(value, list | tuple):
        return all(type(v) in KINDS and is_setting(v) for v in value)
    if type(value) is float:
        return math.isfinite(value)
    if type(value) is int:
        return -(2**63) <= value < 2**63
    return type(value) in KINDS


# --- what is forbidden --------------------------------------------------------------------

FROZEN = 1767225600.0  # the time on the stopped clock: the beginning of 2026
MET: dict[str, str] = {}  # forbidden names that the method used, with the first place


class Guard:
    """Guards against clocks, entropy and threads, which differ between runs."""

    def __init__(self, folder: str) -> None:
        """Guard the files of a folder."""
        self.folder = folder

    def meet(self, name: str) -> bool:
        """Report whether the method's own code is the caller, outside of imports.

        Notes the first place.
        """
        frame = sys._getframe(2)
        while frame is not None:
            file = frame.f_code.co_filename
            if is_own(file, self.folder):
                place = f"{file.removeprefix(self.folder + os.sep)}:{frame.f_lineno}"
                MET.setdefault(name, place)
                return True
            if file.startswith("<frozen importlib"):
                return False
            frame = frame.f_back  # type: ignore[assignment]
        return False

    def freeze(self) -> None:
        """Stop the clock for the time of day."""
        import datetime

        real = {name: getattr(time, name) for name in ("gmtime", "localtime", "ctime")}

        def direct(name: str) -> None:
            frame = sys._getframe(2)
            if is_own(frame.f_code.co_filename, self.folder):
                self.meet(name)

        def now() -> float:
            direct("time.time")
            return FROZEN

        def now_ns() -> int:
            direct("time.time_ns")
            return int(FROZEN) * 10**9

        time.time, time.time_ns = now, now_ns
        for name, function in real.items():

            def frozen(
                seconds: float | None = None, name: str = name, function: Any = function
            ) -> Any:
                if seconds is None:
                    direct("time." + name)
                return function(FROZEN if seconds is None else seconds)

            setattr(time, name, frozen)
        local, written, plain = real["localtime"], time.strftime, time.asctime

        def strftime(form: str, *moment: Any) -> str:
            if not moment:
                direct("time.strftime")
            return written(form, *(moment or (local(FROZEN),)))

        def asctime(*moment: Any) -> str:
            if not moment:
                direct("time.asctime")
            return plain(*(moment or (local(FROZEN),)))

        time.strftime, time.asctime = strftime, asctime

        class Stopped(datetime.datetime):
            @classmethod
            def now(cls, tz: datetime.tzinfo | None = None) -> Any:
                direct("datetime.now")
                return cls.fromtimestamp(FROZEN, tz)

            @classmethod
            def utcnow(cls) -> Any:
                direct("datetime.utcnow")
                return cls.fromtimestamp(FROZEN, datetime.UTC).replace(tzinfo=None)

            @classmethod
            def today(cls) -> Any:
                direct("datetime.today")
                return cls.fromtimestamp(FROZEN)

        Stopped.__name__ = Stopped.__qualname__ = "datetime"
        datetime.datetime = Stopped  # type: ignore[misc]

    def close(self) -> None:
        """Refuse the system's entropy, and note threads."""
        real_urandom = os.urandom

        def refuse(name: str) -> NoReturn:
            raise Nondeterministic(
                f"{name} gives different values in every run: use search.rand(name)"
            )

        def urandom(size: int) -> bytes:
            if self.meet("os.urandom"):
                refuse("os.urandom, which SystemRandom, secrets and uuid use,")
            return real_urandom(size)

        os.urandom = random._urandom = urandom  # type: ignore[attr-defined,assignment]
        entropy, seed = random.Random(0), random.Random.seed

        def seeded(self: random.Random, a: Any = None, version: int = 2) -> None:
            seed(self, entropy.getrandbits(64) if a is None else a, version)

        random.Random.seed = seeded  # type: ignore[method-assign]
        random.seed = random._inst.seed  # type: ignore[attr-defined]
        start = threading.Thread.start

        def begun(thread: threading.Thread) -> None:
            self.meet("threading.Thread")
            start(thread)

        threading.Thread.start = begun  # type: ignore[method-assign]
        uuid = sys.modules.get("uuid")
        for name in ("uuid1", "uuid4") if uuid else ():

            def made(*_: Any, name: str = name) -> NoReturn:
                self.meet("uuid." + name)
                refuse("uuid." + name)

            setattr(uuid, name, made)


def settle(seed: int) -> None:
    """Seed all generators that are used without a seed."""
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy:
        numpy.random.seed(seed & 0xFFFFFFFF)
        numpy.random.bit_generator.randbits = random.Random(seed).getrandbits


def main(path: str, events: BinaryIO) -> None:
    """Load a method file, and describe it or run it, depending on the first event."""
    os.set_inheritable(EVENTS, False)
    os.set_inheritable(COMMANDS, False)
    driver, method = Driver(events), Method(path)
    event = driver.receive()
    guard = Guard(method.folder)
    try:
        text = source_of(path)
        for name in ("numpy", "uuid"):  # now, so that settle and Guard also reach them
            if name in text and importlib.util.find_spec(name):
                importlib.import_module(name)
        guard.freeze()
        guard.close()
        settle(event["seed"])
        method.check_files(event.get("files", {}))
        method.load()
        described = method.describe() if event["ev"] == "describe" else {}
        settle(event["seed"])
    except BaseException as error:
        driver.fail(error, method)
        return
    if event["ev"] == "describe":
        driver.send({"op": "described", **described})
    else:
        driver.run(method, event)
