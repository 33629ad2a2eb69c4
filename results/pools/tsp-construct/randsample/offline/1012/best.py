import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.2)
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.5)
    ordered = np.sort(between, axis=1)
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]

    score = np.sqrt(here) - 0.11 * (home ** 1.7) - 0.14 * detour + 0.15 * (regret / (1.0 + here))

    return int(unvisited_nodes[np.argmin(score)])
