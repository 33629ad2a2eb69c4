import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.9)
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.log(here + 0.5) + 0.12 * np.sin(2.2 * here) - 0.1 * detour

    appeal = np.exp(-score / 1.1)
    appeal = appeal * (1.0 + 0.27 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
