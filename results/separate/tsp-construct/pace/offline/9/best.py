import numpy as np


def corridor_penalty(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Penalise nodes by how far they lead off the direct way home; returns one value per
    unvisited node."""
    direct = distance_matrix[current_node, destination_node]
    via = distance_matrix[current_node, unvisited_nodes]
    via = via + distance_matrix[unvisited_nodes, destination_node]
    return (via - direct) / (via + 1e-9)


def measure_mean_distance_nearest(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.1)
    median = np.median(between, axis=1)
    ordered = np.sort(between, axis=1)
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    crowd = ordered[:, 1:7].mean(axis=1)
    return 0.079 * regret + 0.101 * (crowd - median)


def score_median_nearest_distances(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Compute the median of the nearest distances; returns one number."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    return float(np.median(here[:12]))


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the mean distance to a few nearest neighbours, the median distance to near nodes and the distance to the centre of the unvisited nodes, helped by corridor_penalty, measure_mean_distance_nearest and score_median_nearest_distances, taking the smallest score."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    corridor_penalty_value_2 = corridor_penalty(current_node, destination_node, unvisited_nodes, distance_matrix)
    corridor_penalty_value_2 = np.resize(np.nan_to_num(np.asarray(corridor_penalty_value_2, dtype=float)), len(unvisited_nodes))
    mean_distance_nearest = measure_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    corridor_penalty_value_3 = corridor_penalty(current_node, destination_node, unvisited_nodes, distance_matrix)
    corridor_penalty_value_3 = np.resize(np.nan_to_num(np.asarray(corridor_penalty_value_3, dtype=float)), len(unvisited_nodes))
    unit_2 = steps[:4].mean() + 1e-9
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 20, 0)
    unit_3 = steps[:8].mean() + 1e-9
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_3, 7.77)
    median = np.median(between, axis=1)
    median_nearest_distances = score_median_nearest_distances(current_node, unvisited_nodes, distance_matrix)
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.4)
    ordered = np.sort(between_2, axis=1)
    crowd = ordered[:, 1:8].mean(axis=1)

    score = (
        np.log(here + 0.304)
        - (corridor_penalty_value_2 - corridor_penalty_value_2.min()) / 0.872
        + 1.71 * (mean_distance_nearest * (1.0 - left))
        - 0.114 * (pull ** 2.7)
        - 1.3 * corridor_penalty_value_3
        + here_2 ** 0.63
        - 0.11 * median
        - (median_nearest_distances * crowd) / 7.9
    )

    return int(unvisited_nodes[np.argmin(score)])
