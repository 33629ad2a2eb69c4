"""A tour of the travelling salesman problem is built from a set of cities. It starts at city 0,
visits every city once and returns to city 0. Design the function that chooses, at each
step, which of the unvisited cities comes next, so that the finished tour is as short as
possible. The cities are points in the unit square and distances are Euclidean. The unvisited
cities are a Python set, and the last of them is asked for, too. Arguments are passed by
keyword. NumPy is imported as np."""

import hashlib

import numpy as np
from pacebench.task import Invalid, Task, index

# Sets of MCTS-AHD (at ee9c4f4) as the stream has them: instances, cities, CPU, half the SHA-256.
SETS = {
    "train": (64, 50, 60, "bee6f8b6bf7f4678ddee62c4d77657c8"),
    "val20": (64, 20, 0, ""),
    "val": (64, 50, 60, "5acf8b3df8dd31e7accf418d1c22c18c"),
    "val100": (64, 100, 0, ""),
    "val200": (64, 200, 0, ""),
    "test20": (1000, 20, 300, "00d9878b79883eadd350a3db376980e9"),
    "test50": (1000, 50, 600, "77bfc717ec41354b6c85d35bfca08c59"),
    "test100": (1000, 100, 1800, "0a8d6dfe443c64840f5b6af5d695b790"),
    "test200": (1000, 200, 3600, "75b74a26813e4b3186042b85fce55099"),
}

task = Task(
    name="tsp-construct-mcts",
    title="TSP-Construct, MCTS-AHD",
    unit="mean tour length",
    digits=3,
    goal="minimize",
    splits={s: number for s, (number, _, cpu, _) in SETS.items() if cpu},
    cpu={s: cpu for s, (_, _, cpu, _) in SETS.items() if cpu},
)


def draw():
    """Draw all sets, and hold them to the published ones."""
    stream, drawn = np.random.RandomState(1234), {}
    for split, (number, cities, _, digest) in SETS.items():
        drawn[split] = stream.rand(number, cities, 2)
        if not hashlib.sha256(drawn[split].tobytes()).hexdigest().startswith(digest):
            raise ValueError(f"the cities of {split} are not the published ones")
    return drawn


CITIES = draw()


@task.template
def select_next_node(
    current_node: int,
    destination_node: int,
    unvisited_nodes: set,
    distance_matrix: np.ndarray,
) -> int:
    """Choose the city to go to.

    Args:
        current_node: the city reached last, as the function returned it; 0 at first.
        destination_node: the city that the tour returns to, always 0.
        unvisited_nodes: set of ints, the cities not visited yet, at least one.
        distance_matrix: distances, float64 array of shape (n, n), zeros on the diagonal.

    Returns:
        One of unvisited_nodes, an int.
    """
    return min(unvisited_nodes, key=lambda j: distance_matrix[current_node][j])


@task.adapter
def with_sets(select_next_node):
    """Keep the set beside the candidate, where it has the history that its order hangs on."""
    distances, unvisited, current = None, set(), 0

    def call(begin):
        nonlocal distances, unvisited, current
        if begin is None:
            unvisited.remove(int(current))
        else:
            distances, unvisited, current = begin, set(range(len(begin))), 0
            unvisited.remove(0)
        current = select_next_node(
            current_node=current,
            destination_node=0,
            unvisited_nodes=unvisited.copy(),
            distance_matrix=distances.copy(),
        )
        return current

    return call


@task.instance
def cities(split, number):
    return CITIES[split][number]


@task.score
def length(points, select_next_node):
    x, y = points[:, :1], points[:, 1:]
    distances = np.sqrt((x - x.T) ** 2 + (y - y.T) ** 2)
    n, tour, visited = len(points), [0], {0}
    while len(tour) < n:
        city = index(select_next_node(distances if len(tour) == 1 else None), n)
        if city in visited:
            raise Invalid(f"step {len(tour)}: city {city} is visited already")
        tour.append(city)
        visited.add(city)
    return float(np.cumsum(distances[tour, tour[1:] + tour[:1]])[-1])


@task.reference()
def isolation(current_node, destination_node, unvisited_nodes, distance_matrix):
    left = np.array(sorted(unvisited_nodes))
    here = distance_matrix[current_node, left]
    if len(left) > 3:
        among = np.sort(distance_matrix[np.ix_(left, left)], axis=1)
        here = here - 0.5 * among[:, 1:4].mean(axis=1)
    return int(left[np.argmin(here)])
