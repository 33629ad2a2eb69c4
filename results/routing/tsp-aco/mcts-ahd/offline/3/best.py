import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # inverse distance
    inverse_3 = 1.0 / (scaled_3 + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 8][:, None]

    heuristic = (
        inverse ** 0.973
        * (remote[:, None] + remote[None, :]) ** 0.33
        * inverse_2 ** 0.949
        * inverse_3 ** 0.92
        * (1.0 / (scaled + 0.74)) ** 0.326
        * inverse ** 0.18
    )
    heuristic[distance_matrix > radius] *= 0.413

    return heuristic
