import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the usual length around a city
    scale = np.sort(distance_matrix, axis=1)[:, 1:8].mean(axis=1)
    # the length against the usual one
    long = distance_matrix / np.sqrt(np.outer(scale, scale))

    guide = distance_matrix ** 0.67 * (np.sqrt(np.exp(np.minimum(long, 5.0) * 0.84))) ** 0.24

    return guide
