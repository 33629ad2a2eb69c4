import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    remote = between.mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:17])]
    ordered = np.sort(between_2, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    median = np.median(between, axis=1)
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:7])]
    ordered_2 = np.sort(between_3, axis=1)
    nearest = ordered_2[:, 1]
    closed = np.where(between_3 > 0.0, between_3, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    between_4 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:12])]
    median_2 = np.median(between_4, axis=1)

    score = (
        here
        - 0.335 * np.minimum(np.abs(here - home), 0.705)
        - (remote ** 1.6) / 1.2
        + 1.0 * np.exp(-median / 0.0154)
        + np.log1p(ahead) / 6.2
        + 1.0 * np.exp(-median_2 / 0.0125)
    )
    if here.min() > 0.945:
        score = score + 0.245 * crowd
    if left < 0.12:
        score = score + 0.21 * home

    if len(unvisited_nodes) <= 5:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
