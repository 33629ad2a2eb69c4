import numpy as np


def evaluate_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities combined with the remoteness of both cities; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    remote = distance_matrix.mean(axis=1)
    return np.minimum(hop / (distance_matrix + 1e-6), 2.0) + (remote[:, None] + remote[None, :])


def compute_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.852


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    relative_neighbour_test = evaluate_relative_neighbour_test(distance_matrix)
    gabriel_test_over = compute_inverse_distance(distance_matrix)
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    remote = distance_matrix.mean(axis=1)

    heuristic = (
        relative ** -0.39
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.49
        * (0.59 + np.maximum(relative_neighbour_test, 1e-9))
        * inverse_2 ** 0.58
        * np.exp(-ranks / 2.3) ** 0.063
        * np.log1p((1.0 / (1.0 + mutual))) ** 0.28
        * (0.35 + np.maximum(gabriel_test_over, 1e-9))
        * np.log1p((remote[:, None] + remote[None, :])) ** 0.19
    )

    return heuristic
