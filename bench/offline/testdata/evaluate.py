"""Score programs on training instances, one JSON line each way.

A bare evaluator for the tests of the embedded model: no confinement, one process. A line
{"source": str} is answered by {"score": float | null, "fault": str, "seconds": float}. The score of a
select_next_node program is the mean tour length over the 16 instances of 50 cities; that of a
heuristics program is the mean length of an edge drawn by its attraction, over 5 instances, and
stands in for the ant colony. Smaller is better.
"""

import json
import operator
import signal
import sys
import time
from types import FrameType
from typing import Any

import numpy as np

SECONDS = 4  # CPU time per program: a loaded machine fails no test


class InvalidAnswer(Exception):
    """A candidate returned what an evaluator refuses."""


def instances() -> list[np.ndarray]:
    """Return the training instances, 16 arrays of shape (50, 2)."""
    return list(np.random.RandomState(2024).rand(16, 50, 2))


def tour_length(choose: Any, points: np.ndarray, order: np.ndarray) -> float:
    """Build one tour with the candidate; order holds each row's neighbours by distance."""
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
    """Weigh the edges of one instance, points of shape (n, 2), by the candidate's matrix."""
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
        exec(compile(source, "candidate", "exec"), space)  # noqa: S102 (the point of it)
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
        start = time.process_time()
        value, fault = score(json.loads(line)["source"], points, orders)
        print(
            json.dumps(
                {"score": value, "fault": fault, "seconds": time.process_time() - start}
            ),
            flush=True,
        )


if __name__ == "__main__":
    main()
