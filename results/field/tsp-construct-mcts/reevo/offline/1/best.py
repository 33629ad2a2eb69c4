import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: set, distance_matrix: np.ndarray) -> int:
    return min(unvisited_nodes, key=lambda j: distance_matrix[current_node][j])
