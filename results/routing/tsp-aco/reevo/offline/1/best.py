import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local_2 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # inverse distance
    inverse_2 = 1.0 / (scaled_3 + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        inverse ** 0.24
        * relative ** -0.88
        * np.exp(-scaled_2 * 0.81)
        * (0.4 + saving)
        * np.sqrt((inverse_2 / inverse_2.sum(axis=1, keepdims=True))) ** 0.26
        * (0.907 + (0.981 + 1.0))
        / (1.0 + ranks) ** 0.157
        * saving ** 0.21
    )
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return heuristic
