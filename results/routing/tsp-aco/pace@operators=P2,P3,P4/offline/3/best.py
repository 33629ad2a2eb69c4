import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)

    heuristic = (
        1.0
        / (1.0 + ranks) ** 0.83
        * np.exp(-ranks / 24.0) ** 0.198
        * (0.52 + (inverse ** 0.76))
        * np.exp(-ranks / 6.01) ** 0.95
        * (1.6 + ((distance_matrix <= radius) + 2.2))
        * (remote[:, None] + remote[None, :]) ** 0.22
    )
    heuristic = 0.38 * (heuristic + heuristic.T)

    cut = np.sort(heuristic, axis=1)[:, -12][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.39)
