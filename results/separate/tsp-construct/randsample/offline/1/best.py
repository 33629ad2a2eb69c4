import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    gap = here - here.min()
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.4)

    score = gap - 0.11 * (detour ** 2)

    return int(unvisited_nodes[np.argmin(score)])
