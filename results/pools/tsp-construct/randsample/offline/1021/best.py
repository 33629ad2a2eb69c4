import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.7)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.8)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    crowd = ordered[:, 1:4].mean(axis=1)

    score = np.sqrt(here) - 0.12 * detour - 0.045 * ((nearest / (crowd + 1e-9)) ** 2)

    return int(unvisited_nodes[np.argmin(score)])
