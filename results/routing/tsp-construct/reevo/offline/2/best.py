import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:15]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.78)
    unit_2 = steps[:5].mean() + 1e-9
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:4].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    near_2 = unvisited_nodes[:18]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 7.94)
    ordered_2 = np.sort(between_3, axis=1)
    nearest = ordered_2[:, 1]
    sample_3 = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    around_3 = distance_matrix[np.ix_(unvisited_nodes, sample_3)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around_3.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.73)
    # sorted neighbour distances
    ordered_3 = np.sort(between_2, axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered_3[:, min(2, ordered_3.shape[1] - 1)] - ordered_3[:, 1]
    # the distances from unvisited nodes to the nearest few
    between_5 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 4.9)
    # sorted neighbour distances
    ordered_5 = np.sort(between_5, axis=1)
    # the mean distance to a few nearest neighbours
    crowd_3 = ordered_5[:, 1:7].mean(axis=1)
    # the median distance to near nodes
    median_3 = np.median(between_5, axis=1)
    here_2 = steps / unit + np.maximum(np.arange(len(steps)) - 19, 0)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near_3 = unvisited_nodes[:14]
    unit_3 = steps[:7].mean() + 1e-9
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_3, 4.9)
    # sorted neighbour distances
    ordered_4 = np.sort(between_4, axis=1)
    # the mean distance to a few nearest neighbours
    crowd_2 = ordered_4[:, 1:6].mean(axis=1)
    # the median distance to near nodes
    median_2 = np.median(between_4, axis=1)

    score = (
        np.log(here + 0.37)
        - np.maximum((0.046 * (crowd - median)), 1.4)
        - np.minimum((pull / 3.4), 2.4)
        - 0.0412 * regret
        + np.maximum((0.02 * (crowd_3 - median_3)), 5.0)
        - 0.89 * (home / (1.0 + here))
        - remote / 4.13
        + np.maximum((0.015 * (crowd_2 - median_2)), 4.4)
    )
    if left > 0.927:
        score = score - 0.23 * remote
    if left > 0.594:
        score = score - 0.402 * remote
    score = np.where(nearest > 0.944, score - 0.13, score)

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here_2 - home)])
    return int(unvisited_nodes[np.argmin(score)])
