import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:18])]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    density = (between_2 < 0.152).mean(axis=1)
    remote = between.mean(axis=1)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]

    score = (
        here
        + 0.17 * np.sqrt(density)
        + 0.316 * np.exp(-typical / 0.22)
        + np.maximum(nearest, 0.13) / 10.0
    )

    appeal = np.exp(-score / 0.62)
    appeal = appeal * (1.0 + 0.89 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
