import numpy as np


def evaluate_list_nearest_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of nearest neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return ((ranks < 5) + 0.2)


def score_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its column; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return inverse / inverse.sum(axis=0, keepdims=True)


def evaluate_closeness_against_longest(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute closeness against the longest edge; returns a matrix with one value per edge."""
    return (1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score edges with inverse distance, a decay in the row's mean distance, each edge's share in its column and closeness against the longest edge, helped by evaluate_list_nearest_neighbours, score_each_edge_share and evaluate_closeness_against_longest, where the rule keeps the stronger direction of each edge, with a floor."""
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    each_edge_share = evaluate_closeness_against_longest(distance_matrix)
    each_edge_share_2 = score_each_edge_share(distance_matrix)
    list_nearest_neighbours = evaluate_list_nearest_neighbours(distance_matrix)

    heuristic = (
        1.0
        / (relative + 0.0763)
        * np.exp(-relative * 6.02) ** 1.0
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.2
        * np.log1p(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * np.sqrt(np.abs(each_edge_share) + 1e-9) ** 0.15
        * (0.773 + (1.0 + np.abs(each_edge_share_2)))
        * (0.0883 + np.abs(list_nearest_neighbours))
    )
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic = np.maximum(heuristic, heuristic.T)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
