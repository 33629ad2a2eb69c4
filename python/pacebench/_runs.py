"""Runs, with their tables, programs, summaries and plots. The command reads the directories."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, overload

from pacebench._command import Error, arguments, call, text

Cells = dict[str, Any]
PathLike = str | os.PathLike[str]
Seeds = int | str | Sequence[int]  # 1, "1-10", [1, 2, 3] or range(1, 4)

# The report's colours for methods, and its spare colours.
COLORS = {
    "pace": "#0072b2",
    "eoh": "#d55e00",
    "reevo": "#009e73",
    "mcts-ahd": "#cc79a7",
    "hsevo": "#e69f00",
    "mles": "#56b4e9",
    "randsample": "#777777",
    "ppo": "#882255",
    "bestofn": "#999933",
    "funsearch": "#6a5acd",
}
MORE_COLORS = ["#117733", "#332288"]


class Row:
    """A row of a table of `export`; its columns are attributes."""

    def __init__(self, cells: Mapping[str, Any]) -> None:
        """Take the cells by column."""
        self.cells = dict(cells)

    def __getattr__(self, column: str) -> Any:
        """Return a cell."""
        cells = self.__dict__.get("cells", {})
        if column not in cells:
            raise AttributeError(
                f"there is no column {column}; columns: {', '.join(cells)}"
            )
        return cells[column]

    def __dir__(self) -> list[str]:
        """Return the columns and the other attributes."""
        return [*super().__dir__(), *self.cells]

    def __eq__(self, other: object) -> bool:
        """Compare cells."""
        return isinstance(other, Row) and self.cells == other.cells

    __hash__ = None  # type: ignore[assignment]


class Program(Row):
    """A program that a run evaluated: a row of the table `evaluations`.

    `value` is in the task's unit. It is None if the program failed, and then `fault` is the kind of
    fault. `source` is the program's text. `pacebench docs results` lists all columns.
    """

    def __repr__(self) -> str:
        """Return number, operator and outcome."""
        told = self.fault if self.value is None else f"{self.value:.6g}"
        return f"<program {self.evaluation}, {self.operator}: {told}>"


class Score(Row):
    """The result of `score`: task, split, score, mean, values and fault.

    `values` has a value for each instance of the split, and `mean` is their mean, both in the
    task's unit. `score` is the mean, negated if lower is better. A program that fails has a
    `fault` (a dict with `kind` and `detail`) and no mean.
    """

    def __repr__(self) -> str:
        """Return task, split and the mean or the fault."""
        told = self.fault if self.mean is None else f"{self.mean:.9g}"
        return f"<score {self.task} {self.split}: {told}>"


class Run(Row):
    """A run: a row of the table `runs`, with its programs and tests.

    `programs` are in the order of evaluation. `tests` has, by test split, the best program's mean
    value, or None if the program failed there. `pacebench docs results` lists all columns.
    """

    def __init__(
        self, cells: Cells, programs: list[Cells], tests: dict[str, float | None]
    ) -> None:
        """Take the rows of the three tables."""
        super().__init__(cells)
        self.programs = [Program(p) for p in programs]
        self.tests = tests

    @property
    def best(self) -> Program | None:
        """The program with the best score; None if every program failed."""
        return self.program(self.best_evaluation)

    def program(self, evaluation: int | None) -> Program | None:
        """Return the program of an evaluation, counted from 1; None if it does not exist."""
        return next((p for p in self.programs if p.evaluation == evaluation), None)

    def lineage(self, program: Program | None = None) -> list[Program]:
        """Return the program and its ancestors by first parents, the oldest first.

        The default is the best program.
        """
        line: list[Program] = []
        one = program or self.best
        while one is not None:
            line.insert(0, one)
            one = self.program(one.parent)
        return line

    def __repr__(self) -> str:
        """Return task, method, model and seed, progress, the best value, tests and directory."""
        method = self.method + (f"@{self.variant}" if self.variant else "")
        name = f"{self.task}, {method}, {self.models}, seed {self.seed}"
        done = f"{self.evaluations}/{self.budget} evaluations"
        if not self.finished:
            done += ", unfinished"
        value = (
            "no program has a score"
            if self.best_value is None
            else f"best {self.best_value:.6g} ({self.unit})"
        )
        tests = "".join(
            f", {split} {'failed' if v is None else f'{v:.6g}'}"
            for split, v in self.tests.items()
        )
        return f"<{name}: {done}, {value}{tests}; {self.run}>"


class Runs(Sequence[Run]):
    """A sequence of runs, with the tables that `export` writes about them."""

    def __init__(
        self, types: dict[str, dict[str, str]], rows: dict[str, list[Cells]]
    ) -> None:
        """Take the types of the columns and the rows of each table."""
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
        """Return the number of runs."""
        return len(self.runs)

    def __iter__(self) -> Iterator[Run]:
        """Iterate over the runs."""
        return iter(self.runs)

    @overload
    def __getitem__(self, at: int) -> Run: ...
    @overload
    def __getitem__(self, at: slice) -> Runs: ...
    def __getitem__(self, at: int | slice) -> Run | Runs:
        """Return a run, or Runs for a slice."""
        if isinstance(at, slice):
            return self.only(self.runs[at])
        return self.runs[at]

    def __add__(self, other: Runs) -> Runs:
        """Return the runs of both, each run once."""
        mine = {r.run for r in self.runs}
        more = other.only([r for r in other.runs if r.run not in mine])
        return Runs(
            self.types,
            {name: rows + more.rows[name] for name, rows in self.rows.items()},
        )

    def __repr__(self) -> str:
        """Return the repr of each run on its own line."""
        return "\n".join(repr(r) for r in self.runs) or "<no runs>"

    def only(self, runs: Sequence[Run]) -> Runs:
        """Return these runs with their rows of all tables."""
        names = {r.run for r in runs}
        return Runs(
            self.types,
            {
                table: [cells for cells in rows if cells["run"] in names]
                for table, rows in self.rows.items()
            },
        )

    def where(self, **columns: Any) -> Runs:
        """Return the runs whose columns have these values, as in where(method="eoh", seed=1)."""
        return self.only(
            [
                r
                for r in self.runs
                if all(getattr(r, c) == v for c, v in columns.items())
            ]
        )

    def frame(self, table: str = "runs") -> Any:
        """Return a table of `export` as a frame: runs, tests, evaluations, requests and so on.

        The frame is from pandas if it is installed, else from polars, else a list of dicts.
        `pacebench docs results` describes the columns. Raises Error for an unknown table.
        """
        if table not in self.rows:
            raise Error(f"there is no table {table}", f"tables: {', '.join(self.rows)}")
        return framed(self.types[table], self.rows[table])

    def programs(self) -> Any:
        """Return frame("evaluations"): a row for each evaluated program."""
        return self.frame("evaluations")

    def summary(self) -> Any:
        """Return a frame with a row for each group of runs that differ only in their seed.

        Columns: runs and finished (numbers of seeds); the mean, best and worst of the seeds' best
        values, in the task's unit; for each test split the mean, and the number of programs that
        failed there; tokens and USD of all seeds. USD is None if any cost is unknown. The values
        of a noisy task are the re-evaluated values if all seeds have them. `report` computes the
        statistics.
        """
        splits = sorted({split for r in self.runs for split in r.tests})
        types = dict.fromkeys(("task", "method", "variant", "models", "unit"), "str")
        types |= dict.fromkeys(("runs", "finished"), "int")
        types |= dict.fromkeys(("mean", "best", "worst"), "float")
        for split in splits:
            types |= {split: "float", f"{split}_failed": "int"}
        types |= {"tokens": "int", "usd": "float"}
        rows: list[Cells] = []
        for key, group in self.groups().items():
            fresh = [r.fresh_value for r in group]
            values = [r.best_value for r in group] if None in fresh else fresh
            values = sorted(
                (v for v in values if v is not None), reverse=maximized(group)
            )
            row = dict(zip(types, (*key, group[0].unit)))
            row |= {"runs": len(group), "finished": sum(r.finished for r in group)}
            row |= {
                "mean": mean(values),
                "best": values[0] if values else None,
                "worst": values[-1] if values else None,
            }
            for split in splits:
                tests = [r.tests[split] for r in group if split in r.tests]
                row[split] = mean([v for v in tests if v is not None])
                row[f"{split}_failed"] = tests.count(None)
            costs = [r.usd for r in group]
            row["tokens"] = sum(r.prompt_tokens + r.output_tokens for r in group)
            row["usd"] = None if None in costs else sum(costs)
            rows.append(row)
        return framed(types, rows)

    def groups(self) -> dict[tuple[str, str, str, str], list[Run]]:
        """Return the runs that differ only in their seed, by task, method, variant and models."""
        groups: dict[tuple[str, str, str, str], list[Run]] = {}
        for r in self.runs:
            groups.setdefault((r.task, r.method, r.variant, r.models), []).append(r)
        return groups

    def report(
        self,
        *,
        out: PathLike = "reports",
        task: PathLike | Sequence[PathLike] | None = None,
        method: PathLike | Sequence[PathLike] | None = None,
        pictures: bool = False,
        published: bool = False,
        all: bool = False,
        paper: bool = False,
        no_runs: bool = False,
        verified: bool = False,
        pool: PathLike | Sequence[PathLike] | None = None,
        frontier: bool = False,
        select: str | None = None,
        bold: str | None = None,
        jobs: int | None = None,
        env: str | None = None,
        python: PathLike | None = None,
        llm4ad: PathLike | None = None,
        unsafe_sandbox: bool = False,
        quiet: bool = False,
    ) -> str:
        """Make the report of these runs in `out`, as `pacebench report` does.

        Prints the main tables and returns the path of the report's page, report.html. The keywords
        are the flags of the command: `task` and `method` name the files of your own tasks and
        methods. Raises Error if the command fails. Unpack the runs of a bundle first.
        """
        flags = {k: v for k, v in locals().items() if k != "self"}
        runs = [r.run for r in self.runs]
        if not runs:
            raise Error("there are no runs to report", "choose or load other runs")
        print(call(["report", *arguments(flags), "--", *runs]), end="")
        return os.path.join(os.fspath(out), "report.html")

    def plot(self, ax: Any = None) -> Any:
        """Draw the best value so far over the evaluations, and return matplotlib's Axes.

        The runs must be of one task. Each method has a line, the mean of its seeds, and a band from
        their minimum to their maximum, in the report's colours. Values are in the task's unit. A
        line begins when every seed has a scored program, and ends with the shortest run. `ax` is
        the Axes to draw on, by default in a new figure. Raises Error without matplotlib, and for
        runs of several tasks.
        """
        pyplot = library("matplotlib.pyplot")
        if pyplot is None:
            raise Error("plot needs matplotlib", "pip install matplotlib")
        tasks = sorted({r.task for r in self.runs})
        if len(tasks) != 1:
            raise Error(
                f"plot draws the runs of one task, not of {len(tasks)}: {', '.join(tasks)}",
                'choose with where(task="…")',
            )
        ax = ax or pyplot.subplots()[1]
        models = {r.models for r in self.runs}
        taken: list[str] = []
        for (_, method, variant, model), group in self.groups().items():
            color = color_of(method, taken)
            taken.append(color)
            points = [
                (x, sum(ys) / len(ys), min(ys), max(ys))
                for x, ys in enumerate(
                    zip(*([p.best_so_far for p in r.programs] for r in group)), 1
                )
                if None not in ys
            ]
            if points:
                label = method + (f"@{variant}" if variant else "")
                label += f", {model}" if len(models) > 1 else ""
                label += f" ({len(group)} seed{'s' if len(group) > 1 else ''})"
                xs, means, low, high = zip(*points)
                ax.step(xs, means, where="post", label=label, color=color)
                ax.fill_between(xs, low, high, step="post", alpha=0.2, color=color)
        goal = "higher" if maximized(self.runs) else "lower"
        ax.set(
            title=f"{tasks[0]}: {goal} is better",
            xlabel="evaluations",
            ylabel=f"best so far: {self.runs[0].unit}",
        )
        if ax.get_lines():
            ax.legend()
        return ax


def color_of(method: str, taken: Sequence[str]) -> str:
    """Return a method's colour in the report, or a free colour for an unknown method.

    Further lines of a method, such as its variants, also take free colours.
    """
    choices = [COLORS.get(method), *MORE_COLORS, *reversed(COLORS.values())]
    return next((c for c in choices if c and c not in taken), MORE_COLORS[0])


def maximized(runs: Sequence[Run]) -> bool:
    """Report whether higher values are better: only then is a score equal to its value."""
    return any(r.best_score == r.best_value for r in runs if r.best_value)


def mean(values: Sequence[float]) -> float | None:
    """Return the mean; None without values."""
    return sum(values) / len(values) if values else None


def framed(types: Mapping[str, str], rows: Sequence[Cells]) -> Any:
    """Return rows as a frame from pandas or polars, or as a list of dicts without either."""
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
        return polars.DataFrame(columns, schema={c: of[t] for c, t in types.items()})
    return [dict(cells) for cells in rows]


def library(name: str) -> Any:
    """Return a module, or None if it is not installed."""
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def in_pandas(of: str, values: list[Any]) -> str | None:
    """Return the type that pandas.read_parquet gives a column, or None if pandas infers it."""
    if of == "float" or of == "int" and None in values:
        return "float64"
    if values:
        return None
    return {"int": "int64", "bool": "bool"}.get(of, "object")


def run(
    *,
    task: PathLike,
    method: PathLike,
    seeds: Seeds | None = None,
    evals: int | None = None,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    out: PathLike | None = None,
    deepaco: PathLike | None = None,
    time_scale: float | None = None,
    test: str | Sequence[str] | None = None,
    model: str | None = None,
    eap_model: str | None = None,
    models: PathLike | None = None,
    max_usd: float | None = None,
    record: PathLike | None = None,
    base_url: str | None = None,
    max_tokens: int | None = None,
    insecure_http: bool = False,
    no_seed: bool = False,
    request_timeout: str | None = None,
    concurrency: int | None = None,
    rpm: int | None = None,
    tpm: int | None = None,
    jobs: int | None = None,
    env: str | None = None,
    python: PathLike | None = None,
    llm4ad: PathLike | None = None,
    unsafe_sandbox: bool = False,
    quiet: bool = False,
    method_patience: str | None = None,
    pass_env: str | Sequence[str] | None = None,
) -> Runs:
    """Run a method on a task for each seed, as `pacebench run` does, and return the runs.

    The keywords are the flags of that command, and None is the command's default: `pacebench run
    --help` describes them. `task` and `method` are names, or files such as "./my_task.py", which
    are trusted code. `seeds` is a number, a list or a range such as "1-10". `evals` is the budget
    of each run, in evaluations. `set` contains settings, as in {"population": 10}. Durations are
    text, such as "2m30s".

    Progress is shown on stderr or in the notebook. A call with the same arguments continues
    unfinished runs and returns finished ones immediately. Ctrl-C stops the command and raises
    KeyboardInterrupt; the journals stay valid. Raises Error, with a hint, if the command fails.
    """
    return drive("run", [], locals())


def suite(
    name: PathLike,
    *,
    seeds: Seeds | None = None,
    evals: int | None = None,
    runs: int | None = None,
    paired: bool = False,
    retry: bool = False,
    shard: str | None = None,
    run: str | Sequence[str] | None = None,
    out: PathLike | None = None,
    deepaco: PathLike | None = None,
    time_scale: float | None = None,
    test: str | Sequence[str] | None = None,
    model: str | None = None,
    eap_model: str | None = None,
    models: PathLike | None = None,
    max_usd: float | None = None,
    record: PathLike | None = None,
    base_url: str | None = None,
    max_tokens: int | None = None,
    insecure_http: bool = False,
    no_seed: bool = False,
    request_timeout: str | None = None,
    concurrency: int | None = None,
    rpm: int | None = None,
    tpm: int | None = None,
    jobs: int | None = None,
    env: str | None = None,
    python: PathLike | None = None,
    llm4ad: PathLike | None = None,
    unsafe_sandbox: bool = False,
    quiet: bool = False,
    method_patience: str | None = None,
    pass_env: str | Sequence[str] | None = None,
) -> Runs:
    """Make the runs of a suite, as `pacebench suite NAME` does, and return them.

    `name` is a built-in suite or a TOML file. The keywords are the flags of that command, and
    None is the command's default: `pacebench suite --help` describes them. Only the command line
    has planning (--dry-run, --list, --power, --until-separated) and Slurm. The function continues,
    stops and fails as `run` does.
    """
    flags = {k: v for k, v in locals().items() if k != "name"}
    return drive("suite", [text("suite", name)], flags)


def drive(command: str, words: list[str], flags: Cells) -> Runs:
    """Make runs with a command, and load them."""
    from pacebench._progress import Progress

    progress = Progress(quiet=flags.get("quiet", False))
    try:
        printed = call([command, *arguments(flags), *words], progress)
    finally:
        progress.close()
    if not progress.runs:  # a shard of a suite may have no runs
        print(printed, end="")
        return Runs({}, {"runs": [], "evaluations": [], "tests": []})
    return load(*progress.runs)


def load(*paths: PathLike) -> Runs:
    """Return the runs in results directories and bundles of `pack`.

    Without a path, it loads the directory "runs". Raises Error if there are no runs.
    """
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
    """Convert the cells of float columns to float, because JSON writes 5.0 as 5."""
    return [
        float(v) if of == "float" and v is not None else v
        for of, v in zip(types.values(), cells)
    ]


def score(
    task: PathLike,
    program: PathLike | Program,
    split: str = "train",
    *,
    set: Mapping[str, Any] | Sequence[str] | None = None,
    time_scale: float | None = None,
    jobs: int | None = None,
    env: str | None = None,
    python: PathLike | None = None,
    llm4ad: PathLike | None = None,
    unsafe_sandbox: bool = False,
    quiet: bool = False,
) -> Score:
    """Score a program on one split of a task, as `pacebench score` does.

    `program` is a path, a source text, or a program of a run. `split` is one split: "train" or a
    test split of the task. The other keywords are the flags of that command. A program that fails
    gives a Score with a fault and no mean. Raises Error if the command cannot score.
    """
    flags = {k: v for k, v in locals().items() if k != "program"}
    import json
    import tempfile

    source = (
        program.source if isinstance(program, Program) else text("program", program)
    )
    if not isinstance(split, str) or "," in split:
        raise Error(
            f"split {split}: score takes one split", "call it once for each split"
        )
    with tempfile.NamedTemporaryFile("w", suffix=".py", encoding="utf-8") as file:
        path = source
        if "\n" in source:
            try:
                file.write(source)
            except UnicodeEncodeError as error:
                raise Error(f"the program is not Unicode text: {error}") from None
            file.flush()
            path = file.name
        flags["json"] = True
        try:
            printed = call(["score", *arguments(flags), "--", path])
        except Error as error:
            printed = error.output
            if not printed:
                raise
    return Score(json.loads(printed))
