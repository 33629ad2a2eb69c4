import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))

    heuristic = (
        1.0
        / (1.0 + ranks) ** 0.44
        * np.exp(-ranks / 35.0) ** 0.27
        * np.sqrt(saving) ** 0.12
        * (1.0 / (1.0 + mutual)) ** 0.32
        * (0.96 + np.exp(-scaled * 0.24)) ** 0.31
    )
    heuristic = heuristic * (1.0 + 1.6 * (ranks == 0))

    return heuristic
