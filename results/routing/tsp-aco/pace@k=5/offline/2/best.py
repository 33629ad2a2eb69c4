import numpy as np


def rate_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    # the longest leg of the best detour over a near city
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return (np.minimum(hop / (distance_matrix + 1e-6), 2.5) / np.minimum(hop / (distance_matrix + 1e-6), 2.5).mean())


def compute_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return 1.0 / (scaled + 1.6)


def score_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    remote = distance_matrix.mean(axis=1)
    return inverse ** 0.415 * (remote[:, None] + remote[None, :]) ** 0.929


def measure_decay_mean_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay in the row's mean distance; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return np.exp(-relative * 1.0)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    wave_distance = rate_relative_neighbour_test(distance_matrix)
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse = 1.0 / (scaled_2 + 1e-6)
    local_3 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_2 = 1.0 / (scaled_3 + 1e-6)
    mutual = np.maximum(ranks, ranks.T)
    relative_neighbour_test = measure_decay_mean_distance(distance_matrix)
    local_5 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    inverse_3 = 1.0 / (scaled_5 + 1e-6)
    distance_units_local = compute_distance_units_local(distance_matrix)
    inverse_distance = score_inverse_distance(distance_matrix)

    heuristic = (
        1.0
        * inverse ** 0.162
        / (scaled_2 + 0.825)
        * inverse_2 ** 0.906
        * np.sqrt(np.abs(relative_neighbour_test) + 1e-9) ** 0.227
        * inverse_3 ** 0.23
        * (0.29 + np.abs(distance_units_local)) ** 0.24
        * (0.5 + (0.15 + np.abs(inverse_distance)))
    )
    heuristic = np.where(mutual < 11, heuristic * 1.61, heuristic)
    heuristic = np.where(mutual < 13, heuristic * 3.0, heuristic)

    return heuristic
