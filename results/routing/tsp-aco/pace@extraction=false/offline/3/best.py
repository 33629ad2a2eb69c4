import numpy as np


def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one
    value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < 6
    return 1.0 + 0.38 * (close & close.T) + 0.71 * (close | close.T)


def estimate_exponential_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute an exponential of the distance combined with a radius around each city; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    radius = np.sort(distance_matrix, axis=1)[:, 10][:, None]
    return np.exp(-scaled * 0.39) * ((distance_matrix <= radius) + 1.3)


def score_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its column; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse / inverse.sum(axis=0, keepdims=True)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    exponential_distance_combined = estimate_exponential_distance_combined(distance_matrix)
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    local_4 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_3 = 1.0 / (scaled_4 + 1e-6)
    relative_neighbour_test = mutual_neighbour_bonus(distance_matrix)
    each_edge_share = score_each_edge_share(distance_matrix)

    heuristic = (
        inverse ** 0.942
        * inverse_2 ** 0.26
        * (1.0 + 0.752 * (1.0 + np.abs(exponential_distance_combined)))
        * np.exp(-scaled_3 * 0.12)
        * inverse_3 ** 0.94
        * (1.0 + np.maximum(relative_neighbour_test, 1e-9))
        * np.log1p((inverse_2 ** 0.334))
        * (1.0 + np.abs(each_edge_share)) ** 0.2
    )

    cut = np.sort(heuristic, axis=1)[:, -20][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.61)
