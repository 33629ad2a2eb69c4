"""Makes a Task object from an unchanged evaluator of LLM4AD.

The user has LLM4AD as a package or a checkout. The packages above a task import every method and
model client, so this module replaces these packages by empty modules, and imports only llm4ad.base
and one task.
A task's row comes from python/task/llm4ad.toml.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib
import importlib.util
import os
import sys
import textwrap
import types
from typing import Any

from pacebench import values
from pacebench.checked import CHECKS, Checked
from pacebench.task import Function, Invalid, Task, Wrong, settle

# The modules that programs of LLM4AD's own runs use. LLM4AD itself allows all modules.
MODULES = "numpy scipy math typing random itertools functools collections heapq copy"
# Imports before the programs of tasks with typing=true, whose templates need them.
TYPING = ["from typing import *", "import numpy as np"]


class Adapted:
    """One task: its row of the table, and the place of its files."""

    def __init__(self, row: dict[str, Any]) -> None:
        """Find the package's folder without importing it."""
        self.row = row
        spec = None if row["dir"] else importlib.util.find_spec("llm4ad")
        found = spec.submodule_search_locations if spec else None
        self.root: str = row["dir"] or (os.path.dirname(found[0]) if found else "")
        self.package = f"llm4ad.task.{row['area']}.{row['name']}"
        self.folder = os.path.join(self.root, *self.package.split("."))
        self.path = os.path.join(self.folder, "evaluation.py")

    def files(self) -> list[str]:
        """Return the files that a score depends on: LLM4AD's base and the task's folder."""
        base = os.path.join(self.root, "llm4ad", "base")
        found = [
            os.path.join(folder, name)
            for top in (base, self.folder)
            for folder, _, names in os.walk(top)
            for name in names
            if not name.endswith(".pyc")
        ]
        return sorted(found)

    def imported(self) -> type:
        """Return the task's evaluator class."""
        if not os.path.isfile(self.path):
            place = self.row["dir"] or "the package llm4ad"
            advice = "--llm4ad takes a checkout: the folder that contains llm4ad/task"
            raise Wrong(f"{place} has no {self.package}.evaluation", 0, advice)
        parts = self.package.split(".")[:-1]
        for end in range(1, len(parts) + 1):
            parent = types.ModuleType(".".join(parts[:end]))
            parent.__path__ = [os.path.join(self.root, *parts[:end])]
            sys.modules[parent.__name__] = parent
        if self.row["area"] == "machine_learning":
            # Gym has no wheel. Gymnasium has the same interface, and LLM4AD's next version
            # imports it.
            sys.modules.setdefault("gym", importlib.import_module("gymnasium"))
        module = importlib.import_module(self.package + ".evaluation")
        base = importlib.import_module("llm4ad.base").Evaluation
        (found,) = [
            c
            for c in vars(module).values()
            if isinstance(c, type)
            and issubclass(c, base)
            and c.__module__ == module.__name__
        ]
        return found

    def load(self) -> tuple[dict[str, Any], str]:
        """Return the names that a task file would define, and the text of its functions."""
        row, kind = self.row, self.imported()

        @functools.cache
        def evaluator(split: str) -> Any:
            settle(task.seed(split, 0))
            return kind(**row[split])

        @functools.cache
        def digest(split: str) -> str:
            return digest_of(evaluator(split))

        task = Task(
            name=row["full"],
            goal="maximize",
            splits={split: 1 for split in ("train", "test") if row[split] is not None},
            modules=MODULES.split(),
            title=row["name"].replace("_", " ") + " (LLM4AD)",
            unit="score",
        )
        given = evaluator("train")
        source, imports = texts(str(given.template_program), row["heuristic"])
        more = [line for line in TYPING if line not in imports] if row["typing"] else []
        task.imports = more + imports
        task.cpu = given.timeout_seconds
        names: dict[str, Any] = {"__doc__": given.task_description, "task": task}
        # compile inherits `from __future__ import annotations`, so a function's header may name
        # undefined types.
        exec(compile(source, "template", "exec"), names)  # noqa: S102
        if row["heuristic"]:
            task.reference()(names["heuristic"])
        functions = [n.name for n in ast.parse(source).body if named(n)]
        task.template(names[functions[0]])

        @task.instance
        def instance(split: str, number: int) -> list[str]:
            del number
            return [split, digest(split)]

        @task.score
        def score(instance: list[str], function: Function) -> Any:
            one = evaluator(instance[0])
            settle(task.seed(instance[0], 0))  # as for any instance
            checked = Checked(function, CHECKS[row["name"]])
            try:
                value = one.evaluate_program("", checked)
            finally:
                if checked.refused:
                    raise checked.refused
            if value is None:
                raise Invalid("the evaluator returned None")
            return -value if row["negated"] else value

        return names, source


def named(node: ast.stmt) -> bool:
    """Report whether a statement defines a function."""
    return isinstance(node, ast.FunctionDef)


def texts(template: str, heuristic: str) -> tuple[str, list[str]]:
    """Return the template and the heuristic as one text, and the template's imports."""
    tree = ast.parse(template)
    at = next(i for i, node in enumerate(tree.body) if named(node))
    function = tree.body[at]
    imports = [line for n in tree.body[:at] for line in ast.unparse(n).split("\n")]
    if heuristic:
        parameters = ", ".join(p.arg for p in function.args.args)  # type: ignore[attr-defined]
        body = textwrap.indent(heuristic.strip(), "    ")
        template = f"{template.rstrip()}\n\n\ndef heuristic({parameters}):\n{body}\n"
    return template, imports


def digest_of(evaluator: Any) -> str:
    """Return a digest of the evaluator's attributes that are values.

    The evaluator's files determine its other attributes, such as an environment or an equation.
    """
    digest = hashlib.sha256()
    for name, value in sorted(vars(evaluator).items()):
        try:
            digest.update(values.pack([name, value]))
        except values.Unfit:
            digest.update(name.encode())
    return digest.hexdigest()
