import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        inverse ** 1.6
        * (0.93 + np.minimum(circle / (distance_matrix ** 2 + 1e-6), 3.2))
        * (1.1 + np.log1p(np.exp(-ranks / 10.0)))
        * ((1.0 / (1.0 + ranks)) / (1.0 / (1.0 + ranks)).mean())
        * np.sqrt((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.32
    )

    return heuristic
