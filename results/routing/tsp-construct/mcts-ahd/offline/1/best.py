import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:18]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.6)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    unit_2 = steps[:3].mean() + 1e-9
    here_2 = steps / unit_2
    near_2 = unvisited_nodes[:15]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 2.19)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.7)
    ordered_3 = np.sort(between_3, axis=1)
    # the regret between first and second nearest neighbour
    regret_2 = ordered_3[:, min(5, ordered_3.shape[1] - 1)] - ordered_3[:, 1]
    nearest_3 = ordered_3[:, 1]

    score = (
        np.log(here + 0.284)
        - np.log1p(stranded) / 1.6
        - 0.65 * (np.sin(1.53 * here_2) * (1.0 - left))
        - 0.13 * np.maximum(nearest_2, 0.13)
        - 0.0559 * regret
        - 1.3 * np.sqrt(remote)
        - 0.0823 * regret_2
        - 0.134 * np.maximum(nearest_3, 0.74)
    )
    score = np.where(here <= 3.98 * here.min(), score, score + 1.3)
    score = np.where(here <= 6.4 * here.min(), score, score + 1.0)

    return int(unvisited_nodes[np.argmin(score)])
