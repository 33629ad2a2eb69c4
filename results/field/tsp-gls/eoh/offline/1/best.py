import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the usual length around a city
    scale = np.sort(distance_matrix, axis=1)[:, 1:6].mean(axis=1)

    guide = distance_matrix ** 1.5 * (((scale[:, None] + scale[None, :]) ** -0.62)) ** 0.39

    return guide
