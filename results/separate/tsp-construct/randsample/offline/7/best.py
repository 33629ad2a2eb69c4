import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.sqrt(here) - 0.13 * (remote ** 1.6)

    return int(unvisited_nodes[np.argmin(score)])
