import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:17])]
    # the mean distance to the unvisited nodes around
    remote = between.mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the distance back to the destination
    home = distance_matrix[unvisited_nodes, destination_node]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    remote_2 = between_2.mean(axis=1)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:11].mean(axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]

    score = (
        np.log(here + 0.454)
        - 1.0 * (remote_2 / (1.0 + here))
        - 0.52 * crowd
        + 0.183 * (nearest / (1.0 + here))
        + 0.37 * remote
    )
    if left > 0.025:
        score = score - 0.206 * home

    appeal = np.exp(-score / 0.2)
    appeal = appeal * (1.0 + 0.96 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
