import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the local scale around a city
    local_4 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    # inverse distance
    inverse_3 = 1.0 / (scaled_4 + 1e-6)

    heuristic = (
        inverse ** 0.698
        * (1.0 / (1.0 + ranks)) ** 0.25
        * inverse_2 ** 0.949
        * np.log1p(np.exp(-scaled_3 * 0.25)) ** 0.226
        * ((remote[:, None] + remote[None, :]) / (remote[:, None] + remote[None, :]).mean()) ** 0.45
        * inverse_3 ** 0.77
        * (0.48 + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * (1.0 + 2.0 * (1.0 / (scaled + 2.4)))
    )

    cut = np.sort(heuristic, axis=1)[:, -14][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.66)
