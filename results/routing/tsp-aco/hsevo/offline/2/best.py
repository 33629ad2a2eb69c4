import numpy as np


def heuristics(distance_matrix: np.ndarray, weight_1: float = 0.06216692615725783, factor_2: float = 1.2423508798496108, factor_3: float = 0.4745215639117132, factor_4: float = 0.47180123467636403, scale_5: float = 3.186884792154979) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    heuristic = (
        1.0
        / (relative + weight_1)
        * (0.24301550675952976 + np.sqrt((inverse / inverse.sum(axis=1, keepdims=True))))
        * (0.6185443663349156 + (1.0 / (scaled + 0.2))) ** factor_2
        / inverse.sum(axis=1, keepdims=True)
        * (1.0 + 1.1 * (factor_3 + (1.0 / (1.0 + ranks))))
        * inverse
        / inverse.sum(axis=1, keepdims=True)
    )
    heuristic = factor_4 * (heuristic + heuristic.T)
    heuristic = np.where(mutual < 13, heuristic * scale_5, heuristic)
    return np.maximum(np.nan_to_num(heuristic), 1e-9)
