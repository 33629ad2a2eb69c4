import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the step relative to the nearest neighbour's distance, the distance to the nearest other unvisited node and the mean distance to the unvisited nodes, through an exponential appeal that favours remote nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.7)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stretch = here / (nearest + 1e-9)
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.sqrt(here) - 0.11 * np.exp(-np.minimum(stretch, 2.5) / 2.0)

    appeal = np.exp(-score / 1.3)
    appeal = appeal * (1.0 + 0.3 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
