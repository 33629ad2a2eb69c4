"""Scores programs for the tests of the embedded model, in one unconfined process.

It answers a line {"source": str} with {"score": float | null, "fault": str}. The score of a
select_next_node program is the mean tour length over 16 instances of 50 cities. The score of a
heuristics program is the mean length of an edge, weighted by the program's matrix, over 5
instances; it replaces the ant colony. Smaller is better. A choose_action program is called with
invented pictures or states, and its score is the mean size of the numbers in its answers.
"""

import functools
import json
import operator
import signal
import sys
from types import FrameType
from typing import Any

import numpy as np

SECONDS = 4  # CPU time of a program, so that a busy machine fails no test


class InvalidAnswer(Exception):
    """The evaluator refuses a candidate's answer."""


def instances() -> list[np.ndarray]:
    """Return the training instances, 16 arrays of shape (50, 2)."""
    return list(np.random.RandomState(2024).rand(16, 50, 2))


def tour_length(choose: Any, points: np.ndarray, order: np.ndarray) -> float:
    """Build one tour with the candidate. order has each city's neighbours by distance."""
    matrix = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    given = matrix.copy()
    n = len(points)
    free = np.ones(n, dtype=bool)
    free[0] = False
    current, length = 0, 0.0
    for _ in range(n - 2):
        row = order[current]
        answer = choose(current, 0, row[free[row]].copy(), given)
        if isinstance(answer, (bool, np.bool_)):
            raise InvalidAnswer
        try:
            node = operator.index(answer)
        except TypeError:
            raise InvalidAnswer from None
        if not (0 <= node < n and free[node]):
            raise InvalidAnswer
        free[node] = False
        length += matrix[current, node]
        current = node
    last = int(np.flatnonzero(free)[0])
    return float(length + matrix[current, last] + matrix[last, 0])


def edge_length(attract: Any, points: np.ndarray) -> float:
    """Return the mean edge length of points (n, 2), weighted by the candidate's matrix."""
    matrix = np.sqrt(((points[:, None] - points[None]) ** 2).sum(-1))
    given = matrix.copy()
    np.fill_diagonal(given, 1.0)
    answer = np.asarray(attract(given), dtype=float)
    if (
        answer.shape != matrix.shape
        or not np.isfinite(answer).all()
        or answer.max() > 1e300
    ):
        raise InvalidAnswer
    answer = np.maximum(answer + 1e-9, 1e-9)
    return float((answer * matrix).sum() / answer.sum())


def picture(rng: np.random.RandomState) -> np.ndarray:
    """Paint a road over grass, a car and an instrument panel, uint8 (96, 96, 3)."""
    out = np.full((96, 96, 3), (102, 204, 102), dtype=np.uint8)
    width, start, bend = rng.randint(0, 30), rng.randint(0, 96), rng.normal(0, 0.01)
    for y in range(84):
        centre = int(start + bend * (70 - y) ** 2)
        out[y, max(0, centre - width) : max(0, centre + width)] = 102
    out[67:76, 45:51] = (204, 0, 0)
    out[84:] = 0
    return out


def state(rng: np.random.RandomState) -> np.ndarray:
    """Invent an observation of a walker, float32 (24,)."""
    out = rng.normal(0, 0.5, 24)
    out[[8, 13]] = rng.randint(0, 2, 2)
    out[14:] = rng.rand(10)
    return out.astype(np.float32)


@functools.cache
def observations(drives: bool) -> list[np.ndarray]:
    """Invent observations of a car or of a walker."""
    rng = np.random.RandomState(7)
    return [picture(rng) if drives else state(rng) for _ in range(31)]


def control(choose: Any) -> float:
    """Call a controller of a car, which has four parameters, or of a walker, on 30 steps."""
    drives = choose.__code__.co_argcount == 4
    size = 3 if drives else 4
    action = np.array([0.0, 1.0, 0.0]) if drives else np.zeros(4, dtype=np.float32)
    total = 0.0
    frames = observations(drives)
    for i in range(1, len(frames)):
        now, before = frames[i].copy(), frames[i - 1].copy()
        speed = (np.float64(i * 41 % 100),) if drives else ()
        given = choose(now, *speed, action, before)
        try:
            answer = np.asarray(given, dtype=float).reshape(-1)
        except (TypeError, ValueError):
            raise InvalidAnswer from None
        if answer.size != size or not np.isfinite(answer).all():
            raise InvalidAnswer
        total += float(np.abs(answer).mean()) / len(frames)
        action = answer if drives else answer.clip(-1.0, 1.0).astype(np.float32)
    return total


def expire(signum: int, frame: FrameType | None) -> None:
    """End a program that runs too long."""
    raise TimeoutError


def score(
    source: str, points: list[np.ndarray], orders: list[np.ndarray]
) -> tuple[float | None, str]:
    """Return the mean length, or None and the kind of fault."""
    space: dict[str, Any] = {"np": np}
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        exec(compile(source, "candidate", "exec"), space)  # noqa: S102 - a test wrote it
        if "choose_action" in space:
            return control(space["choose_action"]), ""
        if "heuristics" in space:
            edges = np.random.RandomState(1234).rand(5, 50, 2)
            return float(
                np.mean([edge_length(space["heuristics"], p) for p in edges])
            ), ""
        lengths = [
            tour_length(space["select_next_node"], p, o)
            for p, o in zip(points, orders, strict=True)
        ]
        return float(np.mean(lengths)), ""
    except SyntaxError as error:
        return None, f"syntax: {error.msg}"
    except TimeoutError:
        return None, "timeout"
    except InvalidAnswer:
        return None, "invalid"
    except Exception as error:  # noqa: BLE001 (a candidate may raise anything)
        return None, f"raised: {error!r}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def main() -> None:
    """Answer lines until the input ends."""
    np.seterr(all="ignore")
    signal.signal(signal.SIGPROF, expire)
    points = instances()
    orders = []
    for p in points:
        matrix = np.sqrt(((p[:, None] - p[None]) ** 2).sum(-1))
        orders.append(
            np.array(
                [
                    [j for j in np.argsort(row, kind="stable") if j != i]
                    for i, row in enumerate(matrix)
                ]
            )
        )
    for line in sys.stdin:
        value, fault = score(json.loads(line)["source"], points, orders)
        print(json.dumps({"score": value, "fault": fault}), flush=True)


if __name__ == "__main__":
    main()
