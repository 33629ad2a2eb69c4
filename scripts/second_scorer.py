#!/usr/bin/env python3
"""Score a program a second time, without pacebench.

    second_scorer.py RUN                      the recorded splits, compared with the record
    second_scorer.py --task TASK FILE.py      the training split
    second_scorer.py --task TASK --split test50 --instances 4 FILE.py

This is a separate implementation of the paper's four tasks from their documentation (docs/tasks),
with NumPy and, for the control tasks, Gymnasium: it draws the instances, builds the tours, runs the
ant colony and steps the environments itself. RUN is a directory with result.json and best.py; the
values of train are in its journal.jsonl. The exit status is 1 if a value differs from the recorded
value by more than 1e-9 (relative for values above 1), if a value is missing, or if the program
fails. It is 2 if the command is wrong.

THE PROGRAM RUNS UNPROTECTED, in the scorer's own process. Score only your own programs, or use a
container without keys and network. A program that attacks its scorer can cheat here, but not in
pacebench.

The interpreter must have the run's NumPy (and SciPy, OpenCV, Gymnasium, Box2D, pygame) in the
versions that run.json names. If packages are missing, the error names an interpreter of pacebench
that has them.

Time on one core: for TSP-Construct, the time of the program itself; for TSP-ACO, 2 s for an
instance of 50 cities and a minute for 1000; 20 s for an episode of Racing Car, and 2 s for an
episode of Bipedal Walker.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.util
import json
import math
import multiprocessing
import operator
import os
import random
import shlex
import sys
import traceback
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

if importlib.util.find_spec("numpy"):  # without it, usable() names an interpreter
    import numpy as np

TOLERANCE = 1e-9

Function = Callable[..., Any]
Scorer = Callable[[str, str, int, int], list[float]]


class Wrong(Exception):
    """The program broke the task's contract."""


class Misuse(Exception):
    """The command cannot be carried out. The text says why and, after a semicolon, what helps."""


# --- programs -----------------------------------------------------------------------------------


def settle() -> None:
    """Bring the generators that a program may use into the state that pacebench starts from."""
    random.seed(0)
    np.random.seed(0)
    np.random.bit_generator.randbits = random.Random(0).getrandbits


@contextlib.contextmanager
def place(name: str) -> Iterator[None]:
    """Add a place to the program's error."""
    try:
        yield
    except Wrong as wrong:
        raise Wrong(f"{name}: {wrong}") from None


@contextlib.contextmanager
def blamed() -> Iterator[None]:
    """Turn every exception into Wrong, with the line of the program that raised it."""
    try:
        yield
    except (Exception, SystemExit) as error:  # noqa: BLE001 - a program raises anything
        lines = [
            number
            for frame, number in traceback.walk_tb(error.__traceback__)
            if frame.f_code.co_filename == "candidate.py"
        ]
        where = f"line {lines[-1]}: " if lines else ""
        what = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise Wrong(where + what) from None


def load(source: str, name: str) -> Function:
    """Run the program as a module and return its function."""
    module = types.ModuleType("candidate")
    sys.modules["candidate"] = module
    with blamed():
        code = compile(source, "candidate.py", "exec", dont_inherit=True)
        exec(code, module.__dict__)  # noqa: S102 - the docstring warns of it
    function = getattr(module, name, None)
    if not callable(function):
        raise Wrong(f"it has no function {name}")

    def call(*args: Any) -> Any:
        with blamed():
            return function(*args)

    return call


# --- instances of both routing tasks ------------------------------------------------------------

SIZES = {"test50": 50, "test200": 200, "test500": 500, "test1000": 1000}


def cities(split: str, seed: int, count: int) -> np.ndarray:
    """Return the coordinates of a split's instances, shape (instances, cities, 2)."""
    if split == "train":
        return np.random.RandomState(seed).rand(count, 50, 2)
    return np.random.RandomState(5678).rand(64, SIZES[split], 2)


def distances(points: np.ndarray) -> np.ndarray:
    """Return the matrix of Euclidean distances."""
    step = points[:, None, :] - points[None, :, :]
    return np.sqrt(step[..., 0] * step[..., 0] + step[..., 1] * step[..., 1])


def length(points: list[list[float]], tour: list[int]) -> float:
    """Return the length of a closed tour, summed edge by edge from its first city."""
    total = 0.0
    for here, there in zip(tour, tour[1:] + tour[:1], strict=True):
        dx = points[here][0] - points[there][0]
        dy = points[here][1] - points[there][1]
        total += math.sqrt(dx * dx + dy * dy)
    return total


# --- TSP-Construct ------------------------------------------------------------------------------


def tsp_construct(source: str, split: str, instances: int, _: int) -> list[float]:
    """Build a tour for each instance. The program is loaded once for all instances."""
    settle()
    np.random.seed(2024)
    np.random.rand(16, 50, 2)
    random.seed(2024)
    choose = load(source, "select_next_node")
    values = []
    for number, points in enumerate(cities(split, 2024, 16)[:instances]):
        with place(f"instance {number}"):
            values.append(built(choose, points))
    return values


def built(choose: Function, points: np.ndarray) -> float:
    """Return the length of the tour that a rule builds from city 0."""
    matrix = distances(points)
    order = np.argsort(matrix, axis=1, kind="stable")
    given = matrix.copy()  # the program may write to its copy
    left = np.ones(len(points), dtype=bool)
    tour, here = [0], 0
    left[0] = False
    while len(tour) < len(points):
        row = order[here]
        near = row[left[row]].astype(np.int64)
        if len(near) == 1:
            here = int(near[0])
        else:
            answer = choose(here, 0, near, given)
            if isinstance(answer, (bool, np.bool_)):
                raise Wrong("it returned a truth value, not a city")
            with place("its answer is not a city"), blamed():
                here = operator.index(answer)
        if not 0 <= here < len(points) or not left[here]:
            raise Wrong(f"it returned city {here}, which is not an unvisited one")
        left[here] = False
        tour.append(here)
    return length(points.tolist(), tour)


# --- TSP-ACO ------------------------------------------------------------------------------------

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
ANTS, ITERATIONS, DECAY = 30, 100, 0.9
HEAD, BLOCK, FEW, TRIES, RENEW = 8, 16, 24, 8, 50


def mix(x: int) -> int:
    """Return one step of SplitMix64."""
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def generator(*name: int) -> Iterator[int]:
    """Yield the 64-bit words of a named generator: PCG-DXSM with 128 bits of state."""
    h = 0
    for part in name:
        h = mix(h ^ part)
    state = mix(h) << 64 | mix((h + GOLDEN) & MASK)
    factor = 2549297995355413924 << 64 | 4865540595714422341
    plus = 6364136223846793005 << 64 | 1442695040888963407
    whole = (1 << 128) - 1
    while True:
        state = (state * factor + plus) & whole
        word = state >> 64
        word ^= word >> 32
        word = word * 0xDA942042E4DD58B5 & MASK
        word ^= word >> 48
        yield word * (state & MASK | 1) & MASK


def find(values: list[float], target: float) -> tuple[int, float]:
    """Return the place where the running sum exceeds the target, and the rest of the target.

    If no sum exceeds it, the place is the last one.
    """
    at, n = 0, len(values)
    while at + 4 < n:
        four = (values[at] + values[at + 1]) + (values[at + 2] + values[at + 3])
        if target < four:
            break
        target -= four
        at += 4
    end = min(at + 3, n - 1)
    while at < end and target >= values[at]:
        target -= values[at]
        at += 1
    return at, target


def beyond(values: list[float], target: float) -> int:
    """Return find's place, or a nearby place if rounding led to a place without a weight."""
    at, _ = find(values, target)
    while at > 0 and values[at] == 0:
        at -= 1
    while values[at] == 0:
        at += 1
    return at


def eight(v: list[float], at: int = 0) -> float:
    """Return the sum of eight values in pairs."""
    return ((v[at] + v[at + 1]) + (v[at + 2] + v[at + 3])) + (
        (v[at + 4] + v[at + 5]) + (v[at + 6] + v[at + 7])
    )


class Colony:
    """The weights of all edges, by city and then by decreasing heuristic."""

    def __init__(self, eta: np.ndarray) -> None:
        self.n = n = len(eta)
        self.blocks = (max(n - 1 - HEAD, 0) + BLOCK - 1) // BLOCK
        self.stride = HEAD + self.blocks * BLOCK
        low = np.uint64((1 << (n - 1).bit_length()) - 1)
        keys = np.ascontiguousarray(eta).view(np.uint64) & ~low
        keys |= np.arange(n, dtype=np.uint64)
        self.city: list[list[int]] = []
        self.place: list[list[int]] = []
        self.weight: list[list[float]] = []
        self.eta: list[list[float]] = []
        for i in range(n):
            order = [int(j) for j in np.argsort(keys[i])[::-1] if j != i]
            place = [0] * n
            for at, j in enumerate(order):
                place[j] = at
            more = self.stride - len(order)
            row = [float(eta[i, j]) for j in order] + [0.0] * more
            self.city.append(order + [i] * more)
            self.place.append(place)
            self.weight.append(row)
            self.eta.append(list(row))
        self.sums: list[list[float]] = [[] for _ in range(n)]
        self.tail = [0.0] * n
        for i in range(n):
            self.add_up(i)

    def add_up(self, i: int) -> None:
        """Compute the sums of a row's blocks."""
        row, sums, tail = self.weight[i], [], 0.0
        for start in range(HEAD, self.stride, BLOCK):
            s = 0.0
            for v in row[start : start + BLOCK]:
                s += v
            sums.append(s)
            tail += s
        self.sums[i], self.tail[i] = sums, tail

    def scale(self, factor: float) -> None:
        """Multiply all weights."""
        for i in range(self.n):
            self.weight[i] = [v * factor for v in self.weight[i]]
            self.add_up(i)

    def deposit(self, tour: list[int], amount: float) -> None:
        """Add pheromone on a tour's edges, in both directions."""
        last = tour[-1]
        for city in tour:
            for i, j in ((last, city), (city, last)):
                at = self.place[i][j]
                d = amount * self.eta[i][at]
                self.weight[i][at] += d
                if at >= HEAD:
                    self.sums[i][(at - HEAD) // BLOCK] += d
                    self.tail[i] += d
            last = city

    def walk(self, words: Iterator[int]) -> list[int]:
        """Draw the tour of one ant."""
        n = self.n
        left, place, alive = list(range(n)), list(range(n)), [1.0] * n
        here, tour = next(words) * n >> 64, []
        while True:
            tour.append(here)
            at, last = place[here], left.pop()
            if last != here:
                left[at], place[last] = last, at
            alive[here] = 0.0
            if not left:
                return tour
            here = self.step(here, left, alive, words)

    def step(
        self, i: int, left: list[int], alive: list[float], words: Iterator[int]
    ) -> int:
        """Draw the city after i."""
        if len(left) < FEW:
            return self.scan(i, left, words)
        row, city = self.weight[i], self.city[i]
        head = [row[p] * alive[city[p]] for p in range(HEAD)]
        near, mass, tail = eight(head), self.sums[i], self.tail[i]
        known: list[int] = []
        for trial in range(TRIES):
            target = uniform(words) * (near + tail)
            if target < near:
                return city[beyond(head, target)]
            at, target = find(mass, target - near)
            start = HEAD + at * BLOCK
            values, there = row[start : start + BLOCK], city[start : start + BLOCK]
            unvisited = [v * alive[c] for v, c in zip(values, there, strict=True)]
            if at in known:
                if mass[at] == 0:
                    break
                return there[beyond(unvisited, target)]
            p, _ = find(values, target)
            if alive[there[p]]:
                return there[p]
            if trial == 0:
                mass = list(mass)
            known.append(at)
            mass[at] = lanes(unvisited)
            tail = lanes(mass)
        return self.scan(i, left, words)

    def scan(self, i: int, left: list[int], words: Iterator[int]) -> int:
        """Draw among all unvisited cities."""
        row, place = self.weight[i], self.place[i]
        weights = [row[place[c]] for c in left]
        sums, total = [], 0.0
        whole = len(weights) // 8 * 8
        for at in range(0, whole, 8):
            total += eight(weights, at)
            sums.append(total)
        everything = total
        for v in weights[whole:]:
            everything += v
        target, at = uniform(words) * everything, 0
        if target >= total:
            target, at = target - total, len(sums)
        else:
            while sums[at] <= target:
                at += 1
            if at > 0:
                target -= sums[at - 1]
        start = min(at * 8, len(weights) - 1)
        return left[start + beyond(weights[start : start + 8], target)]


def uniform(words: Iterator[int]) -> float:
    """Return a number in [0, 1) with 53 bits."""
    return (next(words) >> 11) / (1 << 53)


def lanes(values: list[float]) -> float:
    """Return the sum of the values, in four partial sums that are added at the end."""
    sums = [0.0] * 4
    whole = len(values) // 4 * 4
    for at in range(whole):
        sums[at % 4] += values[at]
    for v in values[whole:]:
        sums[0] += v
    return (sums[0] + sums[1]) + (sums[2] + sums[3])


def solve(points: list[list[float]], eta: np.ndarray, name: tuple[int, ...]) -> float:
    """Return the length of the colony's best tour; name identifies its random streams."""
    colony, best, decayed, since = Colony(eta), math.inf, 1.0, 0
    for iteration in range(ITERATIONS):
        tours = [colony.walk(generator(*name, iteration, ant)) for ant in range(ANTS)]
        lengths = [length(points, tour) for tour in tours]
        best = min(best, *lengths)
        decayed *= DECAY
        since += 1
        if since == RENEW:
            colony.scale(decayed)
            decayed, since = 1.0, 0
        for tour, total in zip(tours, lengths, strict=True):
            colony.deposit(tour, 1 / (total * decayed))
    return best


def tsp_aco(source: str, split: str, instances: int, jobs: int) -> list[float]:
    """Ask the program for all matrices in one process, then solve the instances concurrently."""
    settle()
    np.random.seed(1234)
    random.seed(1234)
    rate = load(source, "heuristics")
    family = ["train", *SIZES].index(split)
    work = []
    for number, points in enumerate(cities(split, 1234, 5)[:instances]):
        matrix = distances(points)
        np.fill_diagonal(matrix, 1)
        with place(f"instance {number}"):
            eta = rated(rate(matrix), matrix.shape)
        eta = np.maximum(eta + 1e-9, 1e-9)
        work.append((points.tolist(), eta, (1234, family, number, 0)))
    with multiprocessing.get_context("fork").Pool(jobs) as pool:
        return pool.starmap(solve, work, chunksize=1)


def rated(answer: Any, shape: tuple[int, ...]) -> np.ndarray:
    """Return the matrix that a program returned."""
    with place("its answer is not an array"), blamed():
        answer = np.asarray(answer)
    if answer.shape != shape or answer.dtype.kind not in "biuf":
        kind = f"an array of {answer.dtype} with shape {answer.shape}"
        raise Wrong(f"it returned {kind}, not numbers with shape {shape}")
    with np.errstate(over="ignore"):  # overflows are refused below
        eta = answer.astype(np.float64)
    if not np.isfinite(eta).all():
        raise Wrong("it returned numbers that are not finite")
    if (eta > 1e300).any():
        raise Wrong("it returned numbers above 1e300")
    return eta


# --- control tasks ------------------------------------------------------------------------------


def episodes(
    play: Callable[[str, int], float], seeds: list[int], source: str, jobs: int
) -> list[float]:
    """Play each seed in its own process, so that nothing passes between episodes."""
    context = multiprocessing.get_context("spawn")
    with context.Pool(jobs, maxtasksperchild=1) as pool:
        work = [(play, source, seed) for seed in seeds]
        return pool.starmap(episode, work, chunksize=1)


def episode(play: Callable[[str, int], float], source: str, seed: int) -> float:
    """Play one seed."""
    with place(f"seed {seed}"):
        return play(source, seed)


def policy(source: str, seed: int) -> Function:
    """Load a policy with the generators seeded for its episode."""
    settle()
    random.seed(seed)
    np.random.seed(seed)
    return load(source, "choose_action")


def drive(source: str, seed: int) -> float:
    """Return the percentage of the track that one episode of Racing Car covers."""
    os.environ.update(SDL_VIDEODRIVER="dummy", SDL_AUDIODRIVER="dummy")
    import gymnasium

    env = gymnasium.make("CarRacing-v3", continuous=True, disable_env_checker=True)
    before, _ = env.reset(seed=seed)
    last = np.array([0.0, 1.0, 0.0])
    seen, _, over, _, _ = env.step(last)
    car, act = env.unwrapped, None
    for _ in range(1200):
        if over:
            break
        if act is None:
            act = policy(source, seed)
        x, y = car.car.hull.linearVelocity
        speed = np.float64(math.sqrt(x * x + y * y))
        answer = act(seen.copy(), speed, last.copy(), before.copy())
        last = numbers(answer, 3)
        before = seen
        # The limit of 1000 steps is Gymnasium's; the task has 1200.
        seen, _, over, _, _ = env.step(np.clip(last, [-1, 0, 0], [1, 1, 1]))
    return car.tile_visited_count / len(car.track) * 100


def walk(source: str, seed: int) -> float:
    """Return the sum of rewards of one episode of Bipedal Walker."""
    import gymnasium

    env = gymnasium.make("BipedalWalker-v3", disable_env_checker=True)
    seen, _ = env.reset(seed=seed)
    act = policy(source, seed)
    before, last, total, over = seen, np.zeros(4, np.float32), 0.0, False
    while not over:
        answer = act(seen.copy(), last.copy(), before.copy())
        last = np.clip(numbers(answer, 4).astype(np.float32), -1, 1)
        before = seen
        seen, reward, ended, cut, _ = env.step(last)
        total += float(reward)
        over = ended or cut
    return total


def numbers(answer: Any, count: int) -> np.ndarray:
    """Return an action's numbers."""
    with place("its answer is not an action"), blamed():
        action = np.asarray(answer, dtype=np.float64).reshape(-1)
    if len(action) != count or not np.isfinite(action).all():
        raise Wrong(f"it returned {action}, not an action of {count} numbers")
    return action


def racing_car(source: str, split: str, instances: int, jobs: int) -> list[float]:
    """Drive on the tracks of a split."""
    seeds = [1, 2, 3, 4] if split == "train" else list(range(10, 20))
    return episodes(drive, seeds[:instances], source, jobs)


def bipedal_walker(source: str, split: str, instances: int, jobs: int) -> list[float]:
    """Walk on the grounds of a split."""
    seeds = [0, 1, 2, 3, 4] if split == "train" else list(range(10, 20))
    return episodes(walk, seeds[:instances], source, jobs)


# --- command ------------------------------------------------------------------------------------

GYM = ["gymnasium", "Box2D", "pygame"]

# Each task's scorer, splits, and packages in addition to NumPy.
TASKS: dict[str, tuple[Scorer, list[str], list[str]]] = {
    "tsp-construct": (tsp_construct, ["train", *SIZES], []),
    "tsp-aco": (tsp_aco, ["train", *SIZES], []),
    "racing-car": (racing_car, ["train", "test"], GYM),
    "racing-car@renderer=stock": (racing_car, ["train", "test"], GYM),
    "bipedal-walker": (bipedal_walker, ["train", "test"], GYM),
}


class Recorded(NamedTuple):
    """A run's record of a split."""

    mean: float
    values: list[float] | None  # None: they cannot be compared
    why: str = ""  # why they cannot be compared


def mean(values: list[float]) -> float:
    """Return the mean, summed in order."""
    total = 0.0
    for v in values:
        total += v
    return total / len(values)


def near(a: float, b: float) -> bool:
    """Report whether two values agree."""
    return abs(a - b) <= TOLERANCE * max(1.0, abs(a))


def read(file: Path) -> str:
    """Return the text of a file."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        hint = "give a run's directory or, with --task, a program"
        raise Misuse(f"cannot read {file}: {what}; {hint}") from None


def program_of(run: Path) -> Path:
    """Return the program of a run's directory. Raise Misuse for another directory."""
    if not (run / "result.json").exists():
        if any(run.glob("journal.jsonl*")):
            hint = "repeat its command, which continues it"
            raise Misuse(f"{run} has no result.json: the run is not finished; {hint}")
        inner = next((f.parent for f in run.rglob("best.py")), None)
        hint = f"give one run, such as {inner}" if inner else "give a run's directory"
        raise Misuse(f"{run} is not a run: it has no result.json; {hint}")
    if not (run / "best.py").exists():
        what = "it is a baseline, a trained row, or a search in which no program ran"
        hint = "pacebench verify --rescore checks these"
        raise Misuse(
            f"{run} has no best.py, so there is no program to score: {what}; {hint}"
        )
    return run / "best.py"


def recorded(run: Path) -> tuple[str, str, dict[str, Recorded]]:
    """Return a run's task, its NumPy version ("*": any), and its record of each split."""
    out: dict[str, Recorded] = {}
    try:
        result = parsed(read(run / "result.json"), "result.json")
        best = result["best"]
        out["train"] = Recorded(real(best["value"]), *trained(run, best))
        for split, outcome in sorted(result.get("tests", {}).items()):
            if "fault" in outcome or outcome.get("failed"):
                why = "the program failed on it or on a part of it"
                out[split] = Recorded(math.nan, None, why)
            else:
                values = [real(v) for v in outcome["values"]]
                out[split] = Recorded(real(outcome["mean"]), values)
        return str(result["task"]), str(result.get("numpy", "*")), out
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        hint = "pacebench verify says what is wrong with the run"
        raise Misuse(f"cannot read the results of {run}: {what}; {hint}") from None


def trained(run: Path, best: dict[str, Any]) -> tuple[list[float] | None, str]:
    """Return the best program's values on the training instances, or None and why."""
    journal = run / "journal.jsonl"
    if not journal.exists():
        if (run / "journal.jsonl.zst").exists():
            return None, "the journal is packed"
        return None, "there is no journal.jsonl"
    for line in read(journal).split("\n"):
        step = parsed(line, journal.name).get("step") if line else None
        if step and step["number"] == best["step"]:
            for evaluation in step.get("evaluations") or []:
                if evaluation["evaluation"] == best["evaluation"]:
                    return [real(v) for v in evaluation["values"]], ""
    raise ValueError(f"journal.jsonl has no evaluation {best['evaluation']}")


def parsed(text: str, name: str) -> Any:
    """Return the JSON value of a file or a line."""
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is not JSON: {error}") from None


def real(value: Any) -> float:
    """Return a recorded number."""
    if isinstance(value, (int, float)) and math.isfinite(value):
        return float(value)
    raise TypeError(f"{value!r} is not a number")


def compare(name: str, values: list[float], old: Recorded, cut: bool) -> bool:
    """Print both scores of a split and report whether they agree."""
    here, count, theirs = mean(values), len(values), old.values
    if cut and theirs is None:
        print(f"{name:9} {here!r} here, {count} instances: not compared, {old.why}")
        return True
    told = f"{old.mean!r} recorded"
    if cut and theirs is not None and count < len(theirs):
        told = f"{count} of {len(theirs)} instances"
        old = Recorded(here, theirs[:count])
    wrong = difference(values, old)
    verdict = "agree"
    if wrong:
        verdict = f"DIFFER, {wrong}"
    elif here == old.mean and old.values in (None, values):
        verdict = "equal"
    if theirs is None:
        verdict += f"; its values were not compared, {old.why}"
    print(f"{name:9} {here!r} here, {told}: {verdict}")
    return not wrong


def difference(values: list[float], old: Recorded) -> str:
    """Return the first difference from the record, or ""."""
    if old.values is not None:
        if len(values) != len(old.values):
            return f"{len(values)} values here, {len(old.values)} recorded"
        for at, (a, b) in enumerate(zip(values, old.values, strict=True)):
            if not near(a, b):
                return f"instance {at}: {a!r} here, {b!r} recorded"
    return "" if near(mean(values), old.mean) else "the mean"


def usable(task: str, version: str) -> None:
    """Refuse an interpreter without the task's packages, and name one that has them."""
    needs = ["numpy", *TASKS[task][2]]
    missing = [name for name in needs if importlib.util.find_spec(name) is None]
    if not missing:
        return
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = [
        python
        for python in sorted(cache.glob("pacebench/python-3.*/bin/python"))
        if all(has(python, name) for name in needs)
    ]
    # The run's own NumPy comes first, because other versions can differ in the last digits.
    found.sort(key=lambda python: not has(python, f"numpy-{version}.dist-info"))
    if found:
        hint = "run " + shlex.join([str(found[0]), *sys.argv])
    else:
        command = f"pacebench score --task {task.partition('@')[0]} FILE.py"
        hint = f"{command} makes an interpreter that has them, in {cache}/pacebench"
    raise Misuse(f"{sys.executable} has no {', '.join(missing)}; {hint}")


def has(python: Path, package: str) -> bool:
    """Report whether an environment has a package."""
    return any(python.parents[1].glob(f"lib/python3.*/site-packages/{package}"))


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line."""

    def error(self, message: str) -> NoReturn:
        """Refuse the command."""
        raise Misuse(f"{message}; --help shows the usage")


def positive(text: str) -> int:
    """Return a count given on the command line."""
    if not text.isdecimal() or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r}: want a whole number from 1")
    return int(text)


def arguments() -> argparse.Namespace:
    """Read the command line."""
    form = argparse.RawDescriptionHelpFormatter
    parser = Parser("second_scorer.py", description=__doc__, formatter_class=form)
    parser.add_argument("program", type=Path, metavar="RUN|FILE.py")
    parser.add_argument("--task", choices=sorted(TASKS))
    parser.add_argument(
        "--split",
        action="append",
        help="may be repeated; default: all recorded splits, or train",
    )
    parser.add_argument(
        "--instances", type=positive, help="number of instances of each split"
    )
    parser.add_argument(
        "--jobs", type=positive, default=1, help="processes (default: 1)"
    )
    return parser.parse_args()


def score(given: argparse.Namespace) -> bool:
    """Score, print, and report whether all scores agree with the record."""
    source, task = given.program, given.task
    old: dict[str, Recorded] = {}
    version = "*"
    if source.is_dir():
        source = program_of(source)
        task, version, old = recorded(given.program)
        if given.task not in (None, task):
            what = f"{given.program} is a run of {task}"
            raise Misuse(f"--task {given.task}: {what}; omit --task")
    elif source.name.endswith(".zst") and source.exists():
        hint = f"unpack a bundle with tar --zstd -xf {source} and give one of its runs"
        raise Misuse(f"{source} is packed, not a run's directory; {hint}")
    text = read(source)
    if task is None:
        known = ", ".join(TASKS)
        raise Misuse(f"{source} needs --task, the program's task; it is one of {known}")
    if task not in TASKS:
        known = ", ".join(TASKS)
        raise Misuse(f"{task} has no second scorer; the tasks with one are {known}")
    scorer, splits, _ = TASKS[task]
    wanted, agree = given.split or list(old) or ["train"], True
    for split in wanted:
        if split not in splits:
            raise Misuse(f"{task} has no split {split}; it has {', '.join(splits)}")
    usable(task, version)
    for split in wanted:
        if split in old and math.isnan(old[split].mean):
            print(f"{split:9} not compared, {old[split].why}")
            continue
        with place(f"{source}, {split}"):
            values = scorer(text, split, given.instances, given.jobs)
        if split in old:
            same = compare(split, values, old[split], given.instances is not None)
            agree = same and agree
        else:
            note = " here, nothing recorded" if old else ""
            print(f"{split:9} {mean(values)!r}{note}")
    return agree


def main() -> int:
    """Carry out the command. Errors are one line."""
    if os.environ.get("PYTHONHASHSEED") != "0":  # sets of strings have one order
        os.environ["PYTHONHASHSEED"] = "0"
        os.execv(sys.executable, [sys.executable, *sys.argv])
    status, message = 0, ""
    try:
        status = 0 if score(arguments()) else 1
    except Misuse as misuse:
        status, message = 2, str(misuse)
    except Wrong as wrong:
        hint = "docs/tasks has a page for each task, with what its function must return"
        status, message = 1, f"{wrong}; {hint}"
    if message:
        line = " ".join(message.split())  # an exception's text may have several lines
        print(f"second_scorer: error: {line}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
