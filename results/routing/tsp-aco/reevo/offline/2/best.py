import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local_4 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_3 = 1.0 / (scaled_4 + 1e-6)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)

    heuristic = (
        inverse ** 0.862
        * relative ** -0.733
        * ((1.0 / (scaled + 1.22)) / (1.0 / (scaled + 1.4)).mean()) ** 0.886
        * inverse_3 ** 0.61
        * np.exp(-scaled_2 * 0.32) ** 0.13
        * (1.4 + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * ((1.0 / (scaled_3 + 1.3)) / (1.0 / (scaled_3 + 1.3)).mean()) ** 0.49
        * inverse_2 ** 0.74
    )

    cut = np.sort(heuristic, axis=1)[:, -16][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.183)
