import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:16])]
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    stranded = np.maximum(nearest - here, 0.0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    home = distance_matrix[unvisited_nodes, destination_node]
    remote = between.mean(axis=1)

    score = here - 0.24 * np.maximum(ahead, 0.29) - np.minimum(stranded, 0.65) / 7.8
    if left < 0.16:
        score = score + 0.26 * home

    appeal = np.exp(-score / 0.89)
    appeal = appeal * (1.0 + 0.8 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
