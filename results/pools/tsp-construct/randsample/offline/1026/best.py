import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the root of the distance, the mean distance to the unvisited nodes and how many neighbours lie within a radius, taking the smallest score."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.4)
    density = (between < 1.7).mean(axis=1)

    score = np.sqrt(here) - 0.092 * (remote ** 2) + 0.1 * np.minimum(density, 1.4)

    return int(unvisited_nodes[np.argmin(score)])
