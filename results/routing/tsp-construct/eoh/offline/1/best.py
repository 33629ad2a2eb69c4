import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit
    near = unvisited_nodes[:6]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.5)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    unit_2 = steps[:3].mean() + 1e-9
    near_2 = unvisited_nodes[:4]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 19.9)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    closed_2 = np.where(between_2 > 0.0, between_2, 9.0)
    successor_2 = closed_2.argmin(axis=1)
    ahead_2 = nearest_2 + nearest_2[successor_2]
    stranded = np.maximum(nearest - here, 0.0)
    here_2 = steps / unit_2
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    unit_3 = steps[:2].mean() + 1e-9
    here_3 = steps / unit_3
    near_4 = unvisited_nodes[:8]
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit_3, 4.7)
    ordered_4 = np.sort(between_4, axis=1)
    nearest_4 = ordered_4[:, 1]
    stranded_2 = np.maximum(nearest_4 - here_3, 0.0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        np.sqrt(here)
        - 0.0158 * np.sqrt(ahead_2)
        - 0.41 * np.log1p(stranded)
        + np.sqrt(here_2)
        - 0.313 * pull
        + 0.027 * np.sin(2.54 * here_3)
        - 0.559 * np.log1p(stranded_2)
        + 0.319 * ((reach - home) * (1.0 - left))
    )

    appeal = np.exp(-score / 4.67)
    appeal = appeal * (1.0 + 0.19 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
