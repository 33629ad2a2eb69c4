import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    unit_2 = steps[:6].mean() + 1e-9
    near_2 = unvisited_nodes[:18]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 6.2)
    ordered_2 = np.sort(between_2, axis=1)
    crowd_2 = ordered_2[:, 1:5].mean(axis=1)
    # the mean of the shortest steps
    unit_3 = steps[:6].mean() + 1e-9
    # the distance from the current node
    here_2 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 17, 0)
    # the nearest few nodes
    near_3 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_3, 6.0)
    # sorted neighbour distances
    ordered_3 = np.sort(between_3, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_3[:, 1]
    # the step relative to the nearest neighbour's distance
    stretch = here_2 / (nearest_2 + 1e-9)
    here_3 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 18, 0)
    here_4 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 19, 0)
    nearest_3 = ordered_2[:, 1]
    stranded = np.maximum(nearest_3 - here_4, 0.0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 6.0)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the step relative to the nearest neighbour's distance
    stretch_2 = here_4 / (nearest + 1e-9)
    here_5 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 17, 0)
    crowd = ordered_2[:, 1:7].mean(axis=1)
    # the distance from the current node
    here_6 = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()

    score = (
        np.sqrt(here)
        - 1.6 * np.minimum(crowd_2, 0.99)
        + 0.05 * np.exp(-np.minimum(stretch, 3.96) / 3.36)
        + np.log(here_3 + 0.92)
        + 0.0826 * np.exp(-np.minimum(stretch_2, 3.8) / 3.36)
        + np.log(here_5 + 0.92)
        - 1.67 * np.minimum(crowd, 0.99)
        + np.sqrt(here_6)
    )
    score = np.where(stranded > 0.28, score - 0.085, score)
    if left > 0.34:
        score = score - 0.22 * home

    appeal = np.exp(-score / 0.36)
    appeal = appeal * (1.0 + 0.284 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
