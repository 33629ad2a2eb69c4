import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 10][:, None]
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_3 = 1.0 / (scaled_2 + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    # the distance of each city to one of its nearest neighbours
    radius_2 = np.sort(distance_matrix, axis=1)[:, 12][:, None]
    local_5 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    inverse_5 = 1.0 / (scaled_5 + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        inverse ** 0.7315582131582491
        * (((0.19 + ((distance_matrix <= radius) + 1.3)) ** 0.6489140518107201) / ((0.1213559713423068 + ((distance_matrix <= radius) + 1.0)) ** 0.5308917347209335).mean())
        * inverse_3 ** 0.491
        * (1.0 + 0.5303482631262866 * np.log1p(((distance_matrix <= radius_2) + 0.703)))
        * inverse_4 ** 1.3701203704425848
        * (1.0 + 2.2 * (inverse_5 / inverse_5.sum(axis=1, keepdims=True)))
        * np.exp(-ranks / 25.9) ** 0.79
        * (0.78 + (0.9 + (1.0 + 0.2 * np.sin(1.2 * scaled))))
    )
    heuristic = 0.30163792171374476 * (heuristic + heuristic.T)
    heuristic = 0.528 * (heuristic + heuristic.T)
    heuristic = heuristic * (1.0 + 0.35 * (ranks == 0))

    cut = np.sort(heuristic, axis=1)[:, -16][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.51)
