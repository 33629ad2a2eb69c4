import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    shortest = distance_matrix.min(axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    threshold = np.quantile(distance_matrix, 0.26)

    heuristic = (
        1.0
        / (scaled + 0.2)
        * (1.0 + 2.44 * ((shortest[:, None] + shortest[None, :]) / (1.6 * distance_matrix + 1e-6)))
        * np.log1p((1.0 / (1.0 + ranks)))
        * ((distance_matrix <= threshold) + 0.0516)
        * (1.18 + ((mutual < 14) + 0.0372))
        * ((saving ** 0.92) / (saving ** 0.92).mean())
        * (1.3 + np.log1p(((distance_matrix <= threshold) + 0.21)))
    )
    heuristic = np.where(ranks < 14, heuristic, heuristic * 0.31)
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic = np.where(mutual < 7, heuristic * 2.3, heuristic)

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 0.99))
