import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    gap = here - here.min()
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.9)
    median = np.median(between, axis=1)

    score = gap + 0.04 * np.sin(2.6 * here) - 0.14 * (median ** 2)

    return int(unvisited_nodes[np.argmin(score)])
