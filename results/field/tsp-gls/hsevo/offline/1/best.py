import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    place = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    guide = distance_matrix ** 0.91 * (((place > 3) + 0.58)) ** 0.36

    return guide
