import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:9].mean(axis=1)
    # the distances from unvisited nodes to the nearest few
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:7])]
    # the spread of distances to unvisited nodes
    spread = between_2.std(axis=1)
    # the distances from unvisited nodes to the nearest few
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:16])]
    # sorted neighbour distances
    ordered_2 = np.sort(between_3, axis=1)
    # the mean distance to a few nearest neighbours
    crowd_2 = ordered_2[:, 1:11].mean(axis=1)

    score = here - home / 5.72 - crowd / 1.99 - 0.36 * (spread / (1.0 + here)) - crowd_2 / 3.46

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
