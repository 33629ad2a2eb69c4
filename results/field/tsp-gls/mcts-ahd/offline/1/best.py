import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    place = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    worse = np.maximum(place, place.T)
    scale = np.sort(distance_matrix, axis=1)[:, 1:10].mean(axis=1)
    long = distance_matrix / np.sqrt(np.outer(scale, scale))
    outlying = distance_matrix.mean(axis=1)

    guide = (
        (1.0 + place) ** 0.44
        * (((place > 6) + 0.723)) ** 0.13
        * ((1.0 + worse)) ** 0.304
        * (np.sqrt(np.exp(np.minimum(long, 5.0) * 0.258))) ** 0.309
        * ((0.602 + ((outlying[:, None] + outlying[None, :]) ** -0.32))) ** 0.2
    )
    guide = 0.5 * (guide + guide.T)

    return guide
