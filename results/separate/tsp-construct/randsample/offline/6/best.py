import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.7)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:5].mean(axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = here - 0.11 * crowd

    appeal = np.exp(-score / 1.4)
    appeal = appeal * (1.0 + 0.28 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
