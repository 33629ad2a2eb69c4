import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))

    heuristic = (
        inverse ** 1.66
        * (1.0 + 0.32 * (inverse / inverse.sum(axis=1, keepdims=True)))
        * (0.54 + (remote[:, None] + remote[None, :]))
        * (1.0 + 1.0 * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.34
        * (1.0 + 0.97 * (1.0 / (scaled + 0.414)))
        * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) ** 0.64
        * (1.0 + 0.69 * np.log1p((inverse / inverse.sum(axis=0, keepdims=True))))
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)
    heuristic = np.where(ranks < 10, heuristic, heuristic * 0.51)

    cut = np.quantile(heuristic, 0.941, axis=1, keepdims=True)
    return np.where(heuristic >= cut, heuristic, heuristic * 0.33)
