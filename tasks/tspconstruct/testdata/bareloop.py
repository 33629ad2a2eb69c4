"""Measures one training evaluation of TSP-Construct as a bare loop in one process.

Prints the median time of one evaluation of a cheap candidate in milliseconds, for two filters: the
filter of LLM4AD's evaluator, np.isin over the route, and a table of visited nodes, the fastest
filter in NumPy.
"""

from __future__ import annotations

import json
import time

import numpy as np

NODES, INSTANCES, ROUNDS = 50, 16, 40


def candidate(
    current: int, destination: int, unvisited: np.ndarray, distances: np.ndarray
) -> int:
    """Return the nearest node, which is the first."""
    return unvisited[0]


def evaluate(coordinates: np.ndarray, table: bool) -> None:
    """Build all tours; coordinates is float64 (INSTANCES, NODES, 2)."""
    for points in coordinates:
        distances = np.linalg.norm(points[:, None] - points[None], axis=2)
        neighbours = np.argsort(distances, axis=1)
        route = np.zeros(NODES, dtype=int)
        visited = np.zeros(NODES, dtype=bool)
        visited[0] = True
        current = 0
        for step in range(1, NODES - 1):
            near = neighbours[current][1:]
            if table:
                unvisited = near[~visited[near]]
            else:
                unvisited = near[~np.isin(near, route[:step])]
            current = candidate(current, 0, unvisited, distances)
            route[step] = current
            visited[current] = True


def measure(table: bool) -> float:
    """Return the median time of one evaluation in milliseconds."""
    coordinates = np.random.RandomState(2024).rand(INSTANCES, NODES, 2)
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        evaluate(coordinates, table)
        times.append(time.perf_counter() - start)
    return 1000 * sorted(times)[ROUNDS // 2]


if __name__ == "__main__":
    print(json.dumps({"isin": measure(False), "table": measure(True)}))
