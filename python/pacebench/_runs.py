"""Runs as the command wrote them: their tables, their programs, and a picture."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from pacebench._command import Error, arguments, call, text

Cells = dict[str, Any]
PathLike = str | os.PathLike[str]


class Row:
    """A row of a table of `export`: its columns are attributes."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        """Take the cells by column."""
        self.cells = dict(cells)

    def __getattr__(self, column: str) -> Any:
        """Return a cell."""
        cells = self.__dict__.get("cells", {})
        if column not in cells:
            raise AttributeError(f"no column {column}; there are {', '.join(cells)}")
        return cells[column]

    def __dir__(self) -> list[str]:
        """Return columns, too."""
        return [*super().__dir__(), *self.cells]

    def __eq__(self, other: object) -> bool:
        """Compare cells."""
        return isinstance(other, Row) and self.cells == other.cells

    __hash__ = None  # type: ignore[assignment]


class Program(Row):
    """A program that a run evaluated: a row of the table `evaluations`."""

    def __repr__(self) -> str:
        """Return number, operator and what became of it."""
        told = self.fault if self.value is None else f"{self.value:.6g}"
        return f"<program {self.evaluation}, {self.operator}: {told}>"


class Score(Row):
    """What `score` says of a program: task, split, score, mean, values, fault."""

    def __repr__(self) -> str:
        """Return the mean, or the fault."""
        told = self.fault if self.mean is None else f"{self.mean:.9g}"
        return f"<score {self.task} {self.split}: {told}>"


class Run(Row):
    """A run: a row of the table `runs`, with its programs and tests."""

    def __init__(
        self, cells: Cells, programs: list[Cells], tests: dict[str, float | None]
    ) -> None:
        """Take what the tables have of it."""
        super().__init__(cells)
        self.programs = [Program(p) for p in programs]
        self.tests = tests

    @property
    def best(self) -> Program | None:
        """The program with the best score; None where none has one."""
        return self.program(self.best_evaluation)

    def program(self, evaluation: int | None) -> Program | None:
        """Return the program of an evaluation."""
        return next((p for p in self.programs if p.evaluation == evaluation), None)

    def lineage(self, program: Program | None = None) -> list[Program]:
        """Return a program's first parents, the oldest first, and itself; of the best without."""
        line: list[Program] = []
        one = program or self.best
        while one is not None:
            line.insert(0, one)
            one = self.program(one.parent)
        return line

    def __repr__(self) -> str:
        """Return its directory, how far it is, and what it found."""
        name = f"{self.run}: {self.evaluations}/{self.budget} evaluations"
        value = "no score" if self.best_value is None else f"{self.best_value:.6g}"
        tests = "".join(
            f", {split} {'failed' if v is None else f'{v:.6g}'}"
            for split, v in self.tests.items()
        )
        return f"<{name}, best {value}{tests}>"


class Runs(Sequence[Run]):
    """Runs and their tables, which are those of `export`."""

    def __init__(
        self, types: dict[str, dict[str, str]], rows: dict[str, list[Cells]]
    ) -> None:
        """Take the types of columns by name and the rows, both by table."""
        self.types, self.rows = types, rows
        programs: dict[str, list[Cells]] = {}
        tests: dict[str, dict[str, float | None]] = {}
        for cells in rows["evaluations"]:
            programs.setdefault(cells["run"], []).append(cells)
        for cells in rows["tests"]:
            tests.setdefault(cells["run"], {})[cells["split"]] = cells["value"]
        self.runs = [
            Run(r, programs.get(r["run"], []), tests.get(r["run"], {}))
            for r in rows["runs"]
        ]

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        """Return them one after another."""
        return iter(self.runs)

    @overload
    def __getitem__(self, at: int) -> Run: ...
    @overload
    def __getitem__(self, at: slice) -> Runs: ...
    def __getitem__(self, at: int | slice) -> Run | Runs:
        """Return a run, or some of them."""
        if isinstance(at, slice):
            return self.only(self.runs[at])
        return self.runs[at]

    def __add__(self, other: Runs) -> Runs:
        """Return both together; a run that is in both is there once."""
        mine = {r.run for r in self.runs}
        more = other.only([r for r in other.runs if r.run not in mine])
        return Runs(
            self.types,
            {name: rows + more.rows[name] for name, rows in self.rows.items()},
        )

    def __repr__(self) -> str:
        """Return a line for each run."""
        return "\n".join(repr(r) for r in self.runs) or "<no runs>"

    def only(self, runs: Sequence[Run]) -> Runs:
        """Return some of these runs."""
        names = {r.run for r in runs}
        return Runs(
            self.types,
            {
                table: [cells for cells in rows if cells["run"] in names]
                for table, rows in self.rows.items()
            },
        )

    def where(self, **columns: Any) -> Runs:
        """Return the runs with these values of columns, as in where(method="eoh")."""
        return self.only(
            [
                r
                for r in self.runs
                if all(getattr(r, c) == v for c, v in columns.items())
            ]
        )

    def frame(self, table: str = "runs") -> Any:
        """Return a table of `export` as a frame of pandas, else of polars, else a list of dicts.

        The tables are runs, tests, evaluations, requests, trials and eaps; `pacebench docs results`
        has their columns.
        """
        if table not in self.rows:
            raise Error(f"there is no table {table}", f"tables: {', '.join(self.rows)}")
        types, rows = self.types[table], self.rows[table]
        columns = {name: [cells[name] for cells in rows] for name in types}
        if pandas := library("pandas"):
            return pandas.DataFrame(
                {
                    c: pandas.Series(v, dtype=in_pandas(types[c], v))
                    for c, v in columns.items()
                }
            )
        if polars := library("polars"):
            of = {
                "str": polars.String,
                "int": polars.Int64,
                "float": polars.Float64,
                "bool": polars.Boolean,
            }
            return polars.DataFrame(
                columns, schema={c: of[t] for c, t in types.items()}
            )
        return [dict(cells) for cells in rows]

    def programs(self) -> Any:
        """Return a row for each evaluation, as frame does."""
        return self.frame("evaluations")

    def plot(self, ax: Any = None) -> Any:
        """Draw the best value so far, mean and range of the seeds, and return matplotlib's axis."""
        pyplot = library("matplotlib.pyplot")
        if pyplot is None:
            raise Error("plot needs matplotlib", "pip install matplotlib")
        tasks = sorted({r.task for r in self.runs})
        if len(tasks) != 1:
            raise Error(
                f"plot draws the runs of one task, and these are of {', '.join(tasks) or 'none'}",
                'choose with where(task="…")',
            )
        curves: dict[str, list[list[float]]] = {}
        for r in self.runs:
            label = r.method + (f"@{r.variant}" if r.variant else "")
            values = [p.best_so_far for p in r.programs]
            curves.setdefault(f"{label}, {r.models}", []).append(values)
        ax = ax or pyplot.subplots()[1]
        for label, group in curves.items():
            # From where all seeds have a value, to where the first of them ends.
            points = [
                (x, sum(ys) / len(ys), min(ys), max(ys))
                for x, ys in enumerate(zip(*group), 1)
                if None not in ys
            ]
            if points:
                xs, mean, low, high = zip(*points)
                (line,) = ax.plot(xs, mean, label=f"{label} ({len(group)})")
                ax.fill_between(xs, low, high, alpha=0.2, color=line.get_color())
        ax.set(xlabel="evaluations", ylabel="best so far", title=tasks[0])
        ax.legend()
        return ax


def library(name: str) -> Any:
    """Return a module if it is installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def in_pandas(of: str, values: list[Any]) -> str | None:
    """Return the type of a column as pandas.read_parquet has it; None: what pandas finds."""
    if of == "float" or of == "int" and None in values:
        return "float64"
    if values:
        return None
    return {"int": "int64", "bool": "bool"}.get(of, "object")


def run(
    *, task: PathLike | None = None, method: PathLike | None = None, **flags: Any
) -> Runs:
    """Run a method on a task, or go on with it, as `pacebench run` does, and return the runs.

    Every flag of that command is a keyword: model, evals, seeds, max_usd, out and so on. A list is
    joined by commas, and set takes a dict: set={"size": 10}.
    """
    return drive("run", [], {"task": task, "method": method, **flags})


def suite(name: PathLike, **flags: Any) -> Runs:
    """Make the runs of a suite or of a suite file, as `pacebench suite` does, and return them."""
    return drive("suite", [text("suite", name)], flags)


def drive(command: str, words: list[str], flags: Cells) -> Runs:
    """Make runs with a command and read them."""
    from pacebench._progress import Progress

    progress = Progress(quiet=flags.get("quiet", False))
    try:
        printed = call([command, *arguments(flags), *words], progress)
    finally:
        progress.close()
    if not progress.runs:  # it only had something to tell
        print(printed, end="")
        return Runs({}, {"runs": [], "evaluations": [], "tests": []})
    return load(*progress.runs)


def load(*paths: PathLike) -> Runs:
    """Return the runs below results directories, or in a bundle of `pack`; without a path, runs."""
    import json
    import tempfile

    types: dict[str, dict[str, str]] = {}
    rows: dict[str, list[Cells]] = {}
    with tempfile.TemporaryDirectory(prefix="pacebench-") as cache:
        tables = call(
            [
                "export",
                "--format=json",
                f"--out={cache}",
                "--",
                *(text("path", p) for p in paths),
            ]
        )
        for path in tables.splitlines():
            with open(path, encoding="utf-8") as file:
                name = os.path.basename(path).removesuffix(".json")
                types[name] = dict(json.loads(next(file)))
                rows[name] = [
                    dict(zip(types[name], number_types(types[name], json.loads(line))))
                    for line in file
                ]
    return Runs(types, rows)


def number_types(types: Mapping[str, str], cells: list[Any]) -> list[Any]:
    """Return cells with floats as such: JSON has 5 for 5.0."""
    return [
        float(v) if of == "float" and v is not None else v
        for of, v in zip(types.values(), cells)
    ]


def score(
    task: PathLike, program: PathLike | Program, split: str = "train", **flags: Any
) -> Score:
    """Score a program on one split of a task, as `pacebench score` does.

    The program is a path, a text, or one of a run. One that fails has a fault in place of a score.
    """
    import json
    import tempfile

    source = (
        program.source if isinstance(program, Program) else text("program", program)
    )
    if not isinstance(split, str) or "," in split:
        raise Error(f"split {split}: score takes one", "call it once for each")
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        path = source
        if "\n" in source:
            try:
                file.write(source)
            except UnicodeEncodeError as error:
                raise Error(f"the program is no text of Unicode: {error}") from None
            file.flush()
            path = file.name
        flags = {"task": task, "split": split, "json": True, **flags}
        try:
            printed = call(["score", *arguments(flags), "--", path])
        except Error as error:
            printed = error.output
            if not printed:
                raise
    return Score(json.loads(printed))
