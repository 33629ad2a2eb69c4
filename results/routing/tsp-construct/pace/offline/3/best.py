import numpy as np


def rate_detour_destination_combined(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the detour on the way to the destination combined with the median distance to unvisited nodes; returns one value per unvisited node."""
    here = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    detour = here + home - distance_matrix[current_node, destination_node]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:8])]
    median = np.median(between, axis=1)
    return np.maximum(detour, 0.0) - 0.82 * median


def calculate_mean_distance_nodes(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to all nodes of the instance; returns one value per unvisited node."""
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    return typical


def score_skew_distances_unvisited(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the skew of distances to unvisited nodes; returns one value per unvisited node."""
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:8])]
    # the mean distance to the unvisited nodes around
    remote = between.mean(axis=1)
    # the median distance to unvisited nodes
    median = np.median(between, axis=1)
    return (remote - median)


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    ordered = np.sort(between, axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    home = distance_matrix[unvisited_nodes, destination_node]
    detour_destination_combined_2 = rate_detour_destination_combined(current_node, destination_node, unvisited_nodes, distance_matrix)
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:16])]
    warmth = np.exp(-between_2 / 0.368).mean(axis=1)
    detour_destination_combined_3 = calculate_mean_distance_nodes(unvisited_nodes, distance_matrix)
    crowd_2 = ordered[:, 1:6].mean(axis=1)
    warmth_2 = np.exp(-between_2 / 0.67).mean(axis=1)
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:12])]
    ordered_2 = np.sort(between_3, axis=1)
    crowd_3 = ordered_2[:, 1:7].mean(axis=1)
    mean_distance_nearest = score_skew_distances_unvisited(unvisited_nodes, distance_matrix)

    score = (
        here / here.max()
        + (warmth / (1.0 + here)) / 3.3
        - detour_destination_combined_3 / 8.28
        - crowd_2 / 4.2
        + (warmth_2 / (1.0 + here)) / 6.1
        - crowd_3 / 6.7
        + (mean_distance_nearest - mean_distance_nearest.min()) / 10.0
        - detour_destination_combined_2 / 9.7
    )
    if left < 0.068:
        score = score + 0.53 * home
    if left < 0.014:
        score = score + 0.288 * home
    score = np.where(here <= 1.9 * here.min(), score, score + 0.35)

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
