import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)

    heuristic = (
        relative ** -0.52
        * inverse ** 0.078
        * inverse_2 ** 0.8
        / (scaled_2 + 5.5)
        * (0.135 + np.exp(-ranks / 39.0)) ** 0.36
        * (inverse_3 / inverse_3.sum(axis=1, keepdims=True)) ** 0.89
        * ((ranks < 7) + 0.83) ** 0.12
        * (0.2 + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)) ** 0.14
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)

    cut = np.sort(heuristic, axis=1)[:, -14][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.61)
