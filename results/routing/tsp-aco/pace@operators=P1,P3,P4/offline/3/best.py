import numpy as np


def estimate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving


def score_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its column combined with a threshold at a quantile of all distances; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    threshold = np.quantile(distance_matrix, 0.16)
    return (inverse / inverse.sum(axis=0, keepdims=True)) + ((distance_matrix <= threshold) + 0.35)


def score_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities combined with each edge's share in its row; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :8]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    inverse = 1.0 / (distance_matrix + 1e-6)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 2.0) * (inverse / inverse.sum(axis=1, keepdims=True))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)
    each_edge_share = score_each_edge_share(distance_matrix)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    gabriel_test_over = score_gabriel_test_over(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.6)
        * np.exp(-relative * 12.0) ** 1.05
        * saving ** 0.84
        * np.maximum(saving_joining_remote, 1e-9) ** 0.99
        * (1.0 + 0.54 * (remote[:, None] + remote[None, :]))
        * (0.87 + np.maximum(each_edge_share, 1e-9))
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.12
        * (1.0 + 0.41 * np.maximum(gabriel_test_over, 1e-9))
    )
    heuristic = 0.5 * (heuristic + heuristic.T)
    heuristic = 0.814 * (heuristic + heuristic.T)
    heuristic = 0.467 * (heuristic + heuristic.T)

    return heuristic
