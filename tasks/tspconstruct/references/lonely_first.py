import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Prefer a near city, the more so the farther it lies from its own nearest neighbours.

    A city that is lonely among the unvisited ones is expensive to come back for, and so is
    one far from the end of the tour.
    """
    between = np.sort(distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes)], axis=1)
    neighbours = between[:, 1 : min(6, len(unvisited_nodes))]
    step = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[destination_node, unvisited_nodes]
    cost = step - 0.55 * neighbours.mean(axis=1) - 0.12 * home
    return int(unvisited_nodes[np.argmin(cost)])
