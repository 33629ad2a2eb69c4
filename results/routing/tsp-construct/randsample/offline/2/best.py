import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:12])]
    # the mean distance to the unvisited nodes around
    remote = between.mean(axis=1)
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes].mean(axis=1)

    score = here - 0.76 * np.sqrt(remote) - np.minimum(typical, 0.16) / 2.6

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
