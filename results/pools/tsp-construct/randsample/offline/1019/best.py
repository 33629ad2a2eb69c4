import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.1)
    closed = np.where(between > 0.0, between, 9.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.0, 2.0)
    median = np.median(between, axis=1)

    score = np.log(here + 0.51) - 0.15 * np.minimum(swerve, 1.6) - 0.098 * (median ** 2)

    return int(unvisited_nodes[np.argmin(score)])
