import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.8)
    home = back / distance_matrix[destination_node].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]

    score = here ** 1.5 - 0.095 * (detour ** 2) - 0.098 * home
    if left < 0.16:
        score = score + 0.31 * home

    return int(unvisited_nodes[np.argmin(score)])
