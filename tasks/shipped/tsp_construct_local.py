"""Tours of the travelling salesman problem are built city by city. A tour starts at city 0,
visits every city once and returns to city 0. Design the function that chooses the next city
among the ten unvisited ones that are nearest, from the distances among these alone, so that
the finished tours are short. It sees no map, and nothing that it saw before may change its
answer: the global generators of random numbers are seeded before each call, and calls are
repeated in another order and another process. The cities are points in the unit square and
distances are Euclidean. When a single city is left, it is appended without a call. NumPy is
imported as np."""

import hashlib

import numpy as np
from pacebench.task import Task, index

# Instances of TSP-Construct: seed, number, cities, CPU, half of their SHA-256.
SETS = {
    "train": (2024, 16, 50, 30, "353652d67fcc6a5f6109d83b51fb6b15"),
    "val": (4321, 64, 50, 120, "5085dcda67e4e7ff752e2772a50fc90c"),
    "test50": (5678, 64, 50, 300, "37dada82e9658e75e6598181c804ea4d"),
    "test200": (5678, 64, 200, 600, "ee271aa7249ef3a67f45d73a14cdc90e"),
    "test500": (5678, 64, 500, 1800, "1c62d71f5c2dbcbda405c152d1bf8124"),
    "test1000": (5678, 64, 1000, 3600, "cc3e0b3f81a9e6f21d3a09bcd7aa9c2a"),
}
NEAREST = 10  # candidates

task = Task(
    name="tsp-construct-local",
    title="TSP-Construct, local",
    unit="mean tour length",
    digits=3,
    goal="minimize",
    splits={split: number for split, (_, number, _, _, _) in SETS.items()},
    cpu={split: cpu for split, (_, _, _, cpu, _) in SETS.items()},
    stateless=True,
)


def draw():
    """Draw all sets, and hold them to the published ones."""
    drawn = {}
    for split, (seed, number, cities, _, digest) in SETS.items():
        drawn[split] = np.random.RandomState(seed).rand(number, cities, 2)
        if hashlib.sha256(drawn[split].tobytes()).hexdigest()[:32] != digest:
            raise ValueError(f"the cities of {split} are not the published ones")
    return drawn


CITIES = draw()


@task.template
def select_next(
    to_candidates: np.ndarray,
    between: np.ndarray,
    to_start: np.ndarray,
    current_to_start: float,
    remaining: int,
    total: int,
) -> int:
    """Choose the city to go to among the candidates, the nearest unvisited cities.

    Args:
        to_candidates: float64 array of shape (k,): distances from the current city to the
            candidates, ascending; k is 10, or remaining where fewer cities are left.
        between: float64 array of shape (k, k): distances among the candidates, with zeros
            on the diagonal.
        to_start: float64 array of shape (k,): distances from the candidates to city 0.
        current_to_start: distance from the current city to city 0, a float.
        remaining: number of unvisited cities, at least 2.
        total: number of all cities.

    Returns:
        The place of a candidate, an int from 0 to k - 1.
    """
    return 0


@task.instance
def cities(split, number):
    return CITIES[split][number]


@task.score
def length(points, select_next):
    x, y = points[:, :1], points[:, 1:]
    distances = np.sqrt((x - x.T) ** 2 + (y - y.T) ** 2)
    orders = np.argsort(distances, axis=1, kind="stable")
    n, tour, unvisited = len(points), [0], np.ones(len(points), bool)
    unvisited[0] = False
    while len(tour) < n - 1:
        row, order = distances[tour[-1]], orders[tour[-1]]
        near = order[unvisited[order]][:NEAREST]
        place = select_next(
            row[near],
            distances[np.ix_(near, near)],
            distances[near, 0],
            float(row[0]),
            n - len(tour),
            n,
        )
        tour.append(int(near[index(place, len(near))]))
        unvisited[tour[-1]] = False
    tour.append(int(np.flatnonzero(unvisited)[0]))
    return float(np.cumsum(distances[tour, tour[1:] + tour[:1]])[-1])


@task.reference()
def isolation(to_candidates, between, to_start, current_to_start, remaining, total):
    k = len(to_candidates)
    if k < 4:
        return 0
    near = np.sort(between, axis=1)[:, 1:4].mean(axis=1)
    far = 0.1 * (remaining / total) * to_start
    return int(np.argmin(to_candidates - 0.5 * near + far))
