import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)

    heuristic = (
        relative ** -0.992
        * np.sqrt((1.0 + 0.848 * np.sqrt((inverse / inverse.sum(axis=0, keepdims=True)))))
        * (saving / saving.mean()) ** 0.97
        * (1.0 / (scaled + 2.01)) ** 0.529
        * (0.262 + np.exp(-relative * 1.9))
        * (1.0 + 0.82 * np.sin(2.5 * scaled)) ** 0.15
        * (1.0 / (scaled + 2.8)) ** 0.64
    )
    heuristic = np.where(ranks < 11, heuristic, heuristic * 0.28)

    return heuristic / heuristic.max()
