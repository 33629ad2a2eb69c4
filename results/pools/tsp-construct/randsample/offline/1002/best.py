import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the root of the distance, the mean distance to a few nearest neighbours and the mean distance to the unvisited nodes, through an exponential appeal that favours remote nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.1)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:6].mean(axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.sqrt(here) - 0.07 * (crowd ** 1.9)

    appeal = np.exp(-score / 1.3)
    appeal = appeal * (1.0 + 0.11 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
