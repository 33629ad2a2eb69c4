import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rate penalties by a combination of a power of an edge's length, an exponential of the length against the usual and the length against the usual one, as it is."""
    scale = np.sort(distance_matrix, axis=1)[:, 1:6].mean(axis=1)
    long = distance_matrix / np.sqrt(np.outer(scale, scale))

    guide = (
        distance_matrix ** 0.71
        * ((0.83 + (long ** 0.93))) ** 0.28
        * (np.sqrt(np.exp(np.minimum(long, 5.0) * 0.34))) ** 0.37
        * ((0.59 + np.exp(np.minimum(long, 5.0) * 0.33))) ** 0.25
    )

    return guide
