import numpy as np


def get_radius_around_each(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a radius around each city; returns a matrix with one value per edge."""
    radius = np.sort(distance_matrix, axis=1)[:, 12][:, None]
    return ((distance_matrix <= radius) + 1.2)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    gabriel_test_over = get_radius_around_each(distance_matrix)
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :9]
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    # the longest leg of the best detour over a near city
    hop_2 = np.full_like(distance_matrix, np.inf)
    for c_2 in range(near.shape[1]):
        via_2 = distance_matrix[np.arange(len(near)), near[:, c_2]][:, None]
        hop_2 = np.minimum(hop_2, np.maximum(via_2, distance_matrix[near[:, c_2]]))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    local_3 = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse = 1.0 / (scaled_3 + 1e-6)
    local = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))

    heuristic = (
        relative ** -0.69
        * (0.449 + np.sqrt(np.minimum(hop_2 / (distance_matrix + 1e-6), 6.78)))
        * np.sqrt(np.abs(gabriel_test_over) + 1e-9) ** 0.215
        * ((inverse_2 / inverse_2.sum(axis=1, keepdims=True)) / (inverse_2 / inverse_2.sum(axis=1, keepdims=True)).mean()) ** 0.628
        * (1.0 / (1.0 + mutual)) ** 0.149
        * ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean()) ** 0.16
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.137
        * np.exp(-scaled * 0.26)
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)

    cut = np.sort(heuristic, axis=1)[:, -14][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.235)
