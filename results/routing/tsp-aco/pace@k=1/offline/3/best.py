import numpy as np


def score_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :6]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return np.minimum(hop / (distance_matrix + 1e-6), 2.3)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    saving_joining_remote = score_relative_neighbour_test(distance_matrix)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse = 1.0 / (scaled_2 + 1e-6)
    local_3 = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_2 = 1.0 / (scaled + 1e-6)

    heuristic = (
        relative ** -0.871
        * np.sqrt(np.exp(-scaled * 0.14)) ** 0.67
        * (1.0 + 4.1 * (1.0 + np.abs(saving_joining_remote)))
        / (1.0 + ranks) ** 0.52
        * 1.0
        * np.log1p((inverse / inverse.sum(axis=1, keepdims=True))) ** 0.58
        * np.sqrt(np.exp(-scaled_3 * 0.11)) ** 0.37
        * inverse_2 ** 0.22
    )
    heuristic = 0.342 * (heuristic + heuristic.T)
    heuristic = np.where(ranks < 2, heuristic, heuristic * 0.6)
    heuristic = 0.682 * (heuristic + heuristic.T)

    return heuristic
