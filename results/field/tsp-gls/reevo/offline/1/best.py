import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score penalties with a power of an edge's place and the length against the usual one, where the rule spares edges of close cities, as it is."""
    place = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    scale = np.sort(distance_matrix, axis=1)[:, 1:4].mean(axis=1)
    long = distance_matrix / np.sqrt(np.outer(scale, scale))
    worse = np.maximum(place, place.T)

    guide = (1.0 + place) ** 0.46 * (np.log1p(long)) ** 0.19 * (np.sqrt(long)) ** 0.36
    guide = np.where(worse < 2, guide * 0.58, guide)

    return guide
