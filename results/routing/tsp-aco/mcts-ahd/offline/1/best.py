import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    local_4 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the distance of each city to one of its nearest neighbours
    radius = np.sort(distance_matrix, axis=1)[:, 12][:, None]
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        np.exp(-scaled * 0.877)
        * (1.0 + 0.18 * np.sin(0.83 * scaled_3)) ** 0.28
        * (inverse_4 / inverse_4.mean()) ** 0.98
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.72
        * (1.0 + 2.04 * ((distance_matrix <= radius) + 0.6))
        * (1.0 + 0.309 * (1.0 / (1.0 + ranks)))
        * (1.0 + np.sqrt(saving))
        * ((inverse_4 / inverse_4.sum(axis=0, keepdims=True)) / (inverse_4 / inverse_4.sum(axis=0, keepdims=True)).mean()) ** 0.278
    )
    heuristic = np.where(mutual < 5, heuristic * 1.0, heuristic)

    cut = np.sort(heuristic, axis=1)[:, -23][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.124)
