import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rate edges by a combination of a power of the distance relative to the row's mean, a radius around each city and inverse distance, where the rule weakens edges beyond the nearest neighbours, as it is."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local_2 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    local_3 = np.sort(distance_matrix, axis=1)[:, :11].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_2 = 1.0 / (scaled_3 + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    # the distance of each city to one of its nearest neighbours
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    local_5 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    inverse_3 = 1.0 / (scaled_5 + 1e-6)
    local_6 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled_6 = distance_matrix / np.sqrt(np.outer(local_6, local_6))
    inverse_4 = 1.0 / (scaled_6 + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        relative ** -0.37
        / (scaled_2 + 4.33)
        * (inverse_2 / inverse_2.sum(axis=1, keepdims=True)) ** 0.167
        / (scaled_4 + 1.0)
        * (1.0 + 0.71 * ((distance_matrix <= radius) + 0.741))
        * np.log1p((inverse_3 / inverse_3.sum(axis=0, keepdims=True))) ** 0.94
        * (0.19 + ((inverse_4 / inverse_4.sum(axis=1, keepdims=True)) ** 0.17))
        * np.log1p((inverse_2 / inverse_2.sum(axis=0, keepdims=True))) ** 0.87
    )
    heuristic = 0.33 * (heuristic + heuristic.T)
    heuristic = 0.976 * (heuristic + heuristic.T)
    heuristic = np.where(ranks < 14, heuristic, heuristic * 0.389)

    return heuristic
