import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: set, distance_matrix: np.ndarray) -> int:
    """Choose the city to go to.

    Args:
        current_node: the city reached last, as the function returned it; 0 at first.
        destination_node: the city that the tour returns to, always 0.
        unvisited_nodes: set of ints, the cities not visited yet, at least one.
        distance_matrix: distances, float64 array of shape (n, n), zeros on the diagonal.

    Returns:
        One of unvisited_nodes, an int.
    """
    return min(unvisited_nodes, key=lambda j: distance_matrix[current_node][j])
