"""Describes a task file, and scores candidates on it, in a trusted process.

Package python/task starts the process, and python/host/host.py calls this module. Go adds a module
pacebench_given with the path of the task file and the digests of its files at the start of the run.
"""

# ruff: noqa: BLE001 - Go gets every exception of a task file

from __future__ import annotations

import ast
import hashlib
import inspect
import json
import math
import os
import re
import sys
import textwrap
import traceback
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import numpy as np
from pacebench_given import GIVEN  # type: ignore[import-not-found]

from pacebench import llm4ad, values, watch
from pacebench import task as tasks
from pacebench.files import (
    digest_of,
    is_own,
    lacking,
    one_line,
    own_modules,
    run_file,
    shown,
    source_of,
)
from pacebench.task import Function, Invalid, Task, Wrong

from __main__ import Aborted  # type: ignore[attr-defined] # isort: skip # host.py

Ask = Callable[..., list[Any]]
Job = dict[str, Any]

# LLM4AD's task, if the task is not a file.
ADAPTED = llm4ad.Adapted(GIVEN["llm4ad"]) if GIVEN["llm4ad"] else None
PATH: str = ADAPTED.path if ADAPTED else GIVEN["path"]
FOLDER = ADAPTED.root if ADAPTED else os.path.dirname(PATH)

# The outcomes of an instance: a value, with its trace if Go requests it; an answer that the task
# does not accept; an answer that made the task raise an exception; an error of the task itself.
SCORED, INVALID, UNUSABLE, BROKEN = range(4)
NUMBERS = (int, float, np.integer, np.floating)
GOALS = ("minimize", "maximize")
CORRECT = "correct this line: the file is imported before a run begins"
# The packages of packages=["control"].
CONTROL = ("gymnasium", "Box2D", "pygame", "opencv-python-headless", "matplotlib")
MOST = 1000  # characters of a message
MOST_KEPT = 1 << 20  # characters of the text kept with a score
WIDEST = 4096  # the largest width or height of a picture, in pixels
# Larger values are mistakes: a million instances, 11 days, a tebibyte.
MOST_INSTANCES, MOST_SECONDS, MOST_MEMORY = 10**6, 10**6, 2**40


def packages_of(source: str) -> list[str]:
    """Return the packages that a task file names. Its import needs them."""
    for node in ast.parse(source, PATH).body:
        call = getattr(node, "value", None)
        if not isinstance(call, ast.Call) or not isinstance(
            node, ast.Assign | ast.AnnAssign
        ):
            continue
        if getattr(call.func, "attr", getattr(call.func, "id", "")) != "Task":
            continue
        for keyword in call.keywords:
            if keyword.arg == "packages":
                try:
                    found = ast.literal_eval(keyword.value)
                    return (
                        [found] if isinstance(found, str) else [str(p) for p in found]
                    )
                except (ValueError, TypeError):
                    raise Wrong(
                        "packages must be a list of strings",
                        keyword.value.lineno,
                        'write them out, as in packages=["control"]',
                    ) from None
    return []


class Opened:
    """The files that the task opens by relative paths, and the lines that open them."""

    def __init__(self) -> None:
        """Change to the task's folder, and begin to note the files that are opened."""
        self.lines: dict[str, int] = {}
        os.chdir(FOLDER)
        sys.addaudithook(self.audit)

    def audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Note a file that is opened for reading by a relative path."""
        if event != "open" or not isinstance(arguments[0], (str, bytes, os.PathLike)):
            return
        path = os.fsdecode(arguments[0])
        if os.path.isabs(path) or arguments[2] & (os.O_WRONLY | os.O_RDWR):
            return
        frame = sys._getframe(1)
        while frame and frame.f_code.co_filename != PATH:
            frame = frame.f_back  # type: ignore[assignment]
        if frame:
            self.lines.setdefault(os.path.normpath(path), frame.f_lineno)

    def check(self, files: Sequence[str]) -> None:
        """Refuse opened files that are not in files: the task's version would not include them."""
        named = {os.path.normpath(name) for name in files}
        for path, line in self.lines.items():
            if path not in named and not path.endswith(".py") and os.path.isfile(path):
                text = f"it reads {path}, which is not in files"
                raise Wrong(text, line, f'name it: Task(files=["{path}"], ...)')


class Scorer:
    """A task file that has been imported, or the error of its import."""

    def __init__(self) -> None:
        """Import the file, if this environment has been made for its packages."""
        self.problem: dict[str, Any] | None = None
        self.names: dict[str, Any] = {}
        self.packages: list[str] = []
        self.asked = tasks.Asked()
        self.opened: Opened | None = None
        try:
            if ADAPTED:
                self.packages = GIVEN["packages"]
                self.names, self.source = ADAPTED.load()
            else:
                self.source = GIVEN["source"]
                if not self.source:
                    self.source = source_of(PATH)
                self.packages = packages_of(self.source)
            if self.packages == GIVEN["packages"]:
                if GIVEN["watch"]:
                    watch.Watch(FOLDER, **GIVEN["watch"])
                if not ADAPTED and FOLDER:
                    self.opened = Opened()
                tasks.settle(0)
                self.names = self.names or run_file(PATH, self.source)
                self.check_files()
                self.task = self.only_task()
        except BaseException as error:
            self.problem = problem_of(error)

    def check_files(self) -> None:
        """Refuse files that have changed since the run began."""
        for path, digest in GIVEN["files"].items():
            if digest_of(path) != digest:
                name = os.path.relpath(path, FOLDER)
                raise Wrong(f"{name} has changed since the run began", 0, "restore it")

    def only_task(self) -> Task:
        """Return the file's task."""
        here = [t for t in tasks.MADE if any(t is v for v in self.names.values())]
        if len(here) != 1:
            many = "no Task object" if not here else f"{len(here)} Task objects"
            line = here[1].line if here else 0
            raise Wrong(
                many, line, "a task file has one: task = Task(goal=..., splits=...)"
            )
        for what in ("template", "score"):
            if what not in here[0].made:
                raise Wrong(
                    f"no function has @task.{what}",
                    here[0].line,
                    "put @task.template above the function to design, and @task.score above the "
                    "function that measures it",
                )
        for what, names in CALLED.items():
            if what in here[0].made:
                check_call(what, here[0].made[what], names)
        return here[0]

    def score(self, job: Job, ask: Ask) -> list[Any]:
        """Score a candidate, which ask calls, on one instance. Show a film if Go requests it."""
        task = self.task
        kind = watch.Heard if GIVEN["watch"] else Function
        function = kind(ask, self.asked if task.stateless else None)
        self.names[task.made["template"].__name__] = function
        try:
            return self.measured(job, function, ask)
        except Invalid as error:
            tasks.GROWTH.release()
            return [INVALID, text_of(error)]
        except Aborted:
            raise
        except BaseException as error:
            tasks.GROWTH.release()
            if not tasks.GROWTH.most or self.is_own(error):
                raise
            return [UNUSABLE, cut(said(error))]
        finally:
            tasks.GROWTH.release()

    def is_own(self, error: BaseException) -> bool:
        """Report whether the task, not an answer of the candidate, caused an exception."""
        if (
            isinstance(error, FileNotFoundError)
            and str(error.filename) not in self.source
        ):
            return False
        return isinstance(error, Wrong) or bool(advice_of(error))

    def measured(self, job: Job, function: Function, ask: Ask) -> list[Any]:
        """Return the score of one instance, and its trace."""
        task, split, number = self.task, job["split"], job["number"]
        tasks.settle(task.seed(split, number))
        instance = task.instance_of(split, number)
        if job["replicate"]:
            tasks.settle(task.seed(split, number, job["replicate"]))
        value = None
        if job["film"]:
            value = task.made["film"](instance, function, shows(ask))
        if value is None:
            value = task.made["score"](instance, function)
        kept, trace = "", None
        if type(value) is tuple and len(value) == 2:
            value, trace = value
            if "evidence" not in task.made and type(trace) is str:
                kept = trace
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, NUMBERS):
            raise TypeError(f"score returned {values.a(type(value))}, not a number")
        if self.opened:
            self.opened.check(task.files)
        if len(kept) > MOST_KEPT:
            raise ValueError(f"score keeps a text of more than {MOST_KEPT} characters")
        left = [traced(trace)] if job["traced"] else []
        try:
            return [SCORED, float(value), kept.encode(errors="replace"), *left]
        except OverflowError:
            return [SCORED, math.inf, b"", *left]

    def evidence(self, job: Job, ask: Ask) -> list[Any]:
        """Return the texts and pictures that the task makes from a scored instance's trace."""
        split, number = job["split"], job["number"]
        tasks.settle(self.task.seed(split, number))
        instance = self.task.instance_of(split, number)
        try:
            tasks.GROWTH.bound()
            shown = self.task.made["evidence"](instance, values.unpack(ask()[0]))
            pieces = shown if isinstance(shown, (list, tuple)) else [shown]
            return [
                SCORED,
                *(
                    piece.encode(errors="replace")
                    if isinstance(piece, str)
                    else picture(piece)
                    for piece in pieces
                ),
            ]
        except BaseException as error:
            tasks.GROWTH.release()
            return [UNUSABLE, cut(said(error))]
        finally:
            tasks.GROWTH.release()

    def digests(self, job: Job) -> dict[str, list[str]]:
        """Return the digests of all instances by split, made in order or in reverse order."""
        made: dict[str, list[str]] = {}
        for split, count in self.task.splits.items():
            made[split] = [""] * count
            for number in range(count)[:: -1 if job["backwards"] else 1]:
                tasks.settle(self.task.seed(split, number))
                data = self.packed(split, number)
                made[split][number] = hashlib.sha256(data).hexdigest()
        return made

    def seen(self) -> dict[str, Any]:
        """Return the observations of this process for check-task."""
        seen = {what: dict(places) for what, places in watch.SEEN.items()}
        for path in GIVEN["files"]:
            seen.get(watch.READS, {}).pop(os.path.realpath(path), None)
        return {"seen": seen, "answers": sorted(watch.ANSWERS)}

    def describe(self) -> dict[str, Any]:
        """Return the description of the task for Go."""
        task, template = self.task, self.template()
        self.check_fields()
        splits = self.splits()
        self.check_references()
        for name in task.files:
            if not os.path.isfile(os.path.join(FOLDER, name)):
                advice = "put the file in the folder of the task"
                raise Wrong(f"files: {name} does not exist", task.line, advice)
        if self.opened:
            self.opened.check(task.files)
        own = ADAPTED.files() if ADAPTED else [PATH, *own_modules(PATH)]
        own += [os.path.join(FOLDER, f) for f in task.files]
        return {
            "folder": FOLDER,
            "line": 0 if ADAPTED else tasks.line_of(task.made["score"]),
            "name": task.called,
            "title": task.title,
            "unit": task.unit,
            "digits": task.digits,
            "tolerance": task.tolerance,
            "goal": task.goal,
            "description": self.description(),
            "template": template,
            "imports": task.imports,
            "modules": list(task.modules),
            "fresh": bool(task.fresh),
            "stateless": bool(task.stateless),
            "adapter": self.adapter(),
            "noisy": task.noisy and task.noisy._asdict(),
            "evidence": "evidence" in task.made,
            "film": "film" in task.made,
            "drawn": "instance" not in task.made,
            "splits": splits,
            "references": [
                {
                    "name": function.__name__,
                    "source": "\n".join(
                        [*task.imports, "", "", self.renamed(function)]
                    ),
                    "value": value,
                    "split": split,
                }
                for function, value, split in task.references
            ],
            "candidate_packages": list(task.candidate_packages),
            "files": {path: digest_of(path) for path in own},
        }

    def check_fields(self) -> None:
        """Refuse arguments of Task with a wrong type or value."""
        task = self.task
        for name in ("name", "title", "unit"):
            if not isinstance(getattr(task, name), str):
                self.refuse(name, "a string")
        if type(task.digits) is not int or not 0 <= task.digits <= 12:
            self.refuse("digits", "an int from 0 to 12")
        if type(task.tolerance) is not float or not 1e-15 <= task.tolerance <= 0.1:
            self.refuse("tolerance", "a float from 1e-15 to 0.1")
        for name in ("fresh", "stateless"):
            if not isinstance(getattr(task, name), bool):
                self.refuse(name, "True or False")
        noisy = task.noisy
        if noisy is not None and not (
            type(noisy) is tasks.Rescore
            and all(type(n) is int and 1 <= n <= 1000 for n in noisy)
        ):
            self.refuse("noisy", "Rescore(top=20, replicates=5), from pacebench.task")
        for name in ("files", "modules", "imports", "packages", "candidate_packages"):
            given = getattr(task, name)
            texts = isinstance(given, (list, tuple))
            if not texts or not all(isinstance(text, str) for text in given):
                self.refuse(name, "a list of strings")

    def check_references(self) -> None:
        """Refuse values that no program can have, and unknown splits."""
        for function, value, split in self.task.references:
            line, name = tasks.line_of(function), function.__name__
            if split not in self.task.splits:
                advice = "splits: " + ", ".join(self.task.splits)
                raise Wrong(f"reference {name}: split={shown(split)}", line, advice)
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if value is not None and not (number and abs(value) <= sys.float_info.max):
                advice = "value is the known score, a number; omit it if it is unknown"
                raise Wrong(f"reference {name}: value={shown(value)}", line, advice)

    def refuse(self, name: str, wanted: str) -> NoReturn:
        """Raise the error of a wrong argument of Task, with the possible values."""
        raise Wrong(
            f"{name}={shown(getattr(self.task, name))}",
            self.task.line,
            f"{name} is {wanted}",
        )

    def description(self) -> str:
        """Return the docstring of the module, which prompts contain."""
        text = inspect.cleandoc(self.names.get("__doc__") or "")
        if not text:
            raise Wrong(
                "no docstring", 1, "begin the file with the task in words, for models"
            )
        return text

    def template(self) -> dict[str, Any]:
        """Return the function to design."""
        function = self.task.made["template"]
        node = self.node(function)
        line, spec = node.lineno, node.args
        advice = (
            "a template has plain parameters: def name(a: int, b: np.ndarray) -> int"
        )
        if spec.vararg or spec.kwarg or spec.kwonlyargs or spec.posonlyargs:
            raise Wrong("the template has * or / among its parameters", line, advice)
        if spec.defaults:
            raise Wrong("the template has parameters with defaults", line, advice)
        doc = ast.get_docstring(node)
        if not doc:
            raise Wrong(
                "the template has no docstring",
                line,
                "say in it what the function is for",
            )
        body = node.body[1:]
        if not body:
            raise Wrong(
                "the template has no body", line, "its body must be the default program"
            )
        rest = self.lines(body[0].lineno, body[-1].end_lineno)
        return {
            "name": node.name,
            "params": [
                {"name": p.arg, "annotation": unparsed(p.annotation)} for p in spec.args
            ],
            "returns": unparsed(node.returns),
            "doc": doc,
            "body": textwrap.dedent(rest).rstrip(),
        }

    def renamed(self, function: Callable[..., Any]) -> str:
        """Return a reference as a program that defines the template's name."""
        node = self.node(function)
        text = self.lines(node.lineno, node.end_lineno)
        name = self.task.made["template"].__name__
        return (
            textwrap.dedent(text).replace(f"def {node.name}(", f"def {name}(", 1) + "\n"
        )

    def adapter(self) -> str:
        """Return the source of the adapter, or ""."""
        function = self.task.made.get("adapter")
        if function is None:
            return ""
        node = self.node(function)
        text = textwrap.dedent(self.lines(node.lineno, node.end_lineno))
        return "\n".join([*self.task.imports, text, f"adapter = {node.name}", ""])

    def node(self, function: Callable[..., Any]) -> ast.FunctionDef:
        """Return the syntax tree of a function of the file."""
        for node in ast.walk(ast.parse(self.source)):
            if not isinstance(node, ast.FunctionDef) or node.name != function.__name__:
                continue
            first: ast.AST = (node.decorator_list or [node])[0]
            if first.lineno == tasks.line_of(function):
                return node
        name = getattr(function, "__name__", "the function")
        raise Wrong(
            f"{name} is not a plain function of the file",
            tasks.line_of(inspect.unwrap(function)) or self.task.line,
            "write a plain def, without other decorators, directly below the decorator",
        )

    def lines(self, first: int, last: int | None) -> str:
        """Return the lines from first to last."""
        return "\n".join(self.source.split("\n")[first - 1 : last])

    def splits(self) -> list[dict[str, Any]]:
        """Return the splits with their limits and the digests of their instances."""
        task, line = self.task, self.task.line
        if task.goal not in GOALS:
            raise Wrong(
                f"goal={shown(task.goal)}", line, 'goal is "minimize" or "maximize"'
            )
        splits = task.splits if isinstance(task.splits, dict) else {}
        if next(iter(splits), None) != "train":
            raise Wrong(
                "splits do not begin with train",
                line,
                'splits={"train": 16, "test": 64}',
            )
        made = []
        for split, count in splits.items():
            if type(count) is not int or not 1 <= count <= MOST_INSTANCES:
                advice = f"a split has from 1 to {MOST_INSTANCES} instances"
                raise Wrong(f"splits: {split} has {shown(count)}", line, advice)
            digest = hashlib.sha256()
            for number in range(count):
                tasks.settle(task.seed(split, number))
                digest.update(self.packed(split, number))
            made.append(
                {
                    "name": split,
                    "instances": count,
                    "cpu": self.limit("cpu", split),
                    "wall": self.limit("wall", split),
                    "memory": self.limit("memory", split),
                    "digest": digest.hexdigest(),
                }
            )
        return made

    def packed(self, split: str, number: int) -> bytes:
        """Return the bytes of an instance."""
        try:
            return values.pack(self.task.instance_of(split, number))
        except values.Unfit as error:
            line = tasks.line_of(
                self.task.made.get("instance", self.task.made["score"])
            )
            what = f"instance {number} of {split} cannot be sent: {error}"
            raise Wrong(what, line, "return the instance's parts, or a seed") from None

    def limit(self, what: str, split: str) -> float:
        """Return one limit of a split; 0 means the default limit."""
        given = getattr(self.task, what)
        if isinstance(given, dict) and not set(given) <= set(self.task.splits):
            self.refuse(what, "a number, or a dict of numbers by split")
        value = given.get(split, 0) if isinstance(given, dict) else given or 0
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            self.refuse(what, "a number, or a dict of numbers by split")
        most = MOST_MEMORY if what == "memory" else MOST_SECONDS
        if not 0 <= value <= most:
            self.refuse(what, f"larger than 0, and at most {most}")
        return value


def traced(trace: Any) -> memoryview:
    """Return the bytes of a trace."""
    try:
        return memoryview(values.pack(trace))
    except values.Unfit as error:
        raise RuntimeError(f"the trace of score cannot be sent: {error}") from None


def picture(shown: Any) -> np.ndarray:
    """Return a picture in colour; grey becomes RGB."""
    if (
        not isinstance(shown, np.ndarray)
        or shown.dtype != np.uint8
        or shown.ndim not in (2, 3)
    ):
        what = values.a(type(shown))
        if isinstance(shown, np.ndarray):
            what = f"an array of {shown.dtype} of shape {shown.shape}"
        raise RuntimeError(
            f"{what} is neither text nor a picture: uint8 of shape (h, w, 3) or (h, w)"
        )
    coloured = np.repeat(shown[:, :, None], 3, axis=2) if shown.ndim == 2 else shown
    high, wide, colours = coloured.shape
    if colours != 3 or not (2 <= high <= WIDEST and 2 <= wide <= WIDEST):
        raise RuntimeError(
            f"a picture of shape {shown.shape}: want (h, w, 3) or (h, w), with sides of "
            f"2 to {WIDEST} pixels"
        )
    return coloured


def shows(ask: Ask) -> Callable[..., None]:
    """Return the function that receives the pictures of a film."""

    def show(shown: np.ndarray, title: str = "") -> None:
        ask(picture(shown), str(title).encode(errors="replace"))

    return show


def unparsed(node: ast.expr | None) -> str:
    """Return the source of an annotation."""
    return ast.unparse(node) if node else ""


def cut(text: str) -> bytes:
    """Return the beginning of a text. An answer can make the text very long."""
    return text[:MOST].encode(errors="replace")


def text_of(error: BaseException) -> bytes:
    """Return the text of an exception, even if its __str__ raises."""
    try:
        return cut(str(error))
    except BaseException:
        return b"(no message)"


# How the functions of a task are called.
CALLED = {
    "instance": "split, number",
    "score": "instance, candidate",
    "evidence": "instance, trace",
    "film": "instance, candidate, show",
}


def check_call(what: str, function: Callable[..., Any], names: str) -> None:
    """Refuse a function of a task that cannot be called as it will be."""
    advice = f"write def {getattr(function, '__name__', what)}({names}):"
    if inspect.iscoroutinefunction(function):
        raise Wrong(f"@task.{what} is an async def", tasks.line_of(function), advice)
    try:
        inspect.signature(function).bind(*names.split(", "))
    except TypeError:
        raise Wrong(
            f"@task.{what} must take {names}", tasks.line_of(function), advice
        ) from None


def said(error: BaseException) -> str:
    """Return an exception in one line, with its line in the task file."""
    wrong = isinstance(error, Wrong)
    line = error.line if wrong else place_of(error)
    where = f" (line {line} of the task)" if line else ""
    return (str(error) if wrong else one_line(error)) + where


def place_of(error: BaseException) -> int:
    """Return the last line of the task file in the traceback of an exception; 0 for none."""
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno or 0 for frame in frames if frame.filename == PATH]
    return lines[-1] if lines else 0


def problem_of(error: BaseException) -> dict[str, Any]:
    """Return the error of a task file with its line and advice."""
    if isinstance(error, Wrong):
        return {"text": str(error), "line": error.line, "advice": error.advice}
    if isinstance(error, SyntaxError) and error.filename == PATH:
        return {
            "text": f"SyntaxError: {error.msg}",
            "line": error.lineno or 0,
            "advice": advice_of(error) or CORRECT,
        }
    return {
        "text": one_line(error),
        "line": place_of(error),
        "advice": advice_of(error) or CORRECT,
    }


def advice_of(error: BaseException) -> str:
    """Return advice about an exception, or ""."""
    if isinstance(error, Wrong):
        return error.advice
    if isinstance(error, ImportError):
        if "relative import" in str(error):
            return "a task file is in no package: import NAME takes NAME.py from its folder"
        package = lacking(error)
        if package in CONTROL:
            return 'add it with Task(packages=["control"], ...)'
        if package and not ADAPTED:
            named = json.dumps([*GIVEN["packages"], package])
            return (
                f"if it is a package, use Task(packages={named}, ...) and run pacebench lock "
                f"{PATH}; if it is your own file, put it in the folder of the task"
            )
    if isinstance(error, (AttributeError, ImportError)):
        for name in sys.stdlib_module_names:
            file = getattr(sys.modules.get(name), "__file__", None) or ""
            module = rf"(module|from) '{name}'"
            if is_own(file, FOLDER) and re.search(module, str(error)):
                return f"rename {file}: Python has a module of this name"
    if isinstance(error, FileNotFoundError):
        path = str(error.filename or "")
        if not os.path.isabs(path):
            return (
                f"relative paths begin in the task's folder, {FOLDER}: put the file there and name "
                'it in Task(files=["NAME"], ...); task.path("NAME") is its absolute path'
            )
    if isinstance(error, SyntaxError):
        return "".join(getattr(error, "__notes__", [])[:1])
    return ""


SCORER = Scorer()


def guarded(
    function: Callable[[Job, Ask], list[Any]],
) -> Callable[[Job, Ask], list[Any]]:
    """Return a function that returns the task's error instead of raising it."""

    def answer(job: Job, ask: Ask) -> list[Any]:
        if SCORER.problem:
            return [
                BROKEN,
                cut(SCORER.problem["text"]),
                cut(SCORER.problem["advice"]),
            ]
        try:
            return function(job, ask)
        except Aborted:
            raise
        except BaseException as error:
            traceback.print_exc()
            text = f"{os.path.basename(PATH)}: {said(error)}"
            return [BROKEN, cut(text), cut(advice_of(error))]

    return answer


score = guarded(lambda job, ask: SCORER.score(job, ask))
evidence = guarded(lambda job, ask: SCORER.evidence(job, ask))
digests = guarded(lambda job, _: [SCORED, json.dumps(SCORER.digests(job)).encode()])
seen = guarded(lambda _, __: [SCORED, json.dumps(SCORER.seen()).encode()])


def replay(program: str, ask: Ask) -> list[Any]:
    """Return the calls to repeat with their answers: all lengths, then all bytes."""
    del ask
    parts = SCORER.asked.again(program)
    return [np.array([len(part) for part in parts]), b"".join(parts)]


def describe(job: Job, ask: Ask) -> list[Any]:
    """Return JSON with the missing packages, the problem, or the description of the task."""
    del job, ask
    told: dict[str, Any] = {"packages": SCORER.packages}
    if not SCORER.problem and SCORER.names:
        try:
            told["task"] = SCORER.describe()
        except BaseException as error:
            SCORER.problem = problem_of(error)
    if SCORER.problem:
        told["problem"] = SCORER.problem
    version = sys.version_info
    told["python"] = f"{version[0]}.{version[1]}"
    return [json.dumps(told).encode()]
