import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:16])]
    density = (between < 0.34).mean(axis=1)

    score = here - 0.64 * np.log1p(np.abs(here - home))
    score = score + 0.14 * (density > density.mean())

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
