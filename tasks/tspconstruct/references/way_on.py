import numpy as np


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Of the eight nearest cities take the one with the shortest way to it and onwards."""
    near = unvisited_nodes[:8]
    onwards = distance_matrix[np.ix_(near, unvisited_nodes)].copy()
    onwards[np.arange(len(near)), np.arange(len(near))] = np.inf
    return int(
        near[np.argmin(distance_matrix[current_node, near] + onwards.min(axis=1))]
    )
