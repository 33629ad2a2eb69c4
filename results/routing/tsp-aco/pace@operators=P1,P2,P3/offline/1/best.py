import numpy as np


def score_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities combined with an exponential of the distance; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    # the longest leg of the best detour over a near city
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return np.minimum(hop / (distance_matrix + 1e-6), 1.6) * np.exp(-scaled * 0.29)


def estimate_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return (np.minimum(circle / (distance_matrix ** 2 + 1e-6), 1.3) / np.minimum(circle / (distance_matrix ** 2 + 1e-6), 1.3).mean())


def get_radius_around_each(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a radius around each city; returns a matrix with one value per edge."""
    radius = np.sort(distance_matrix, axis=1)[:, 8][:, None]
    return ((distance_matrix <= radius) + 0.78)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    relative_neighbour_test = estimate_gabriel_test_over(distance_matrix)
    relative_neighbour_test_2 = score_relative_neighbour_test(distance_matrix)
    mutual = np.maximum(ranks, ranks.T)
    radius_around_each = get_radius_around_each(distance_matrix)

    heuristic = (
        inverse ** 0.93
        * (0.72 + (0.37 + np.abs(relative_neighbour_test)))
        * (0.78 + np.abs(relative_neighbour_test_2)) ** 0.393
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.994
        * (0.945 + (inverse / inverse.sum(axis=0, keepdims=True))) ** 0.287
        * (1.0 + 0.706 * (inverse / inverse.sum(axis=1, keepdims=True)))
        * ((mutual < 14) + 3.13) ** 0.217
        * (1.2 + np.maximum(radius_around_each, 1e-9))
    )
    heuristic = np.where(mutual < 12, heuristic * 12.0, heuristic)

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
