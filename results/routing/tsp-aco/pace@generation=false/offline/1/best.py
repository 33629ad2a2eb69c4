import numpy as np


def estimate_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :8]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return np.minimum(hop / (distance_matrix + 1e-6), 1.8)


def rate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return saving ** 0.26 * inverse ** 0.59


def compute_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.32 * (((ranks < 6) + 0.77) / ((ranks < 9) + 0.39).mean()) ** 0.74


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    relative_neighbour_test = estimate_relative_neighbour_test(distance_matrix)
    inverse_distance = compute_inverse_distance(distance_matrix)
    inverse_distance_2 = rate_inverse_distance(distance_matrix)

    heuristic = (
        inverse ** 0.29
        * inverse_3 ** 0.16
        * (((ranks < 9) + 0.716) / ((ranks < 12) + 0.28).mean()) ** 0.791
        * ((inverse_4 ** 0.99) / (inverse_4 ** 0.741).mean())
        * np.maximum(relative_neighbour_test, 1e-9) ** 0.14
        * (1.0 + 0.454 * np.sqrt(np.abs(inverse_distance) + 1e-9))
        * ((inverse_3 ** 0.755) / (inverse_3 ** 0.49).mean())
        * (0.27 + np.abs(inverse_distance_2)) ** 0.14
    )

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
