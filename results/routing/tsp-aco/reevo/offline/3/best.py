import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    near = np.argsort(distance_matrix, axis=1)[:, :6]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 1.93 + distance_matrix[near[:, c]] ** 1.5)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    near_2 = np.argsort(distance_matrix, axis=1)[:, :9]
    circle_2 = np.full_like(distance_matrix, np.inf)
    for c_2 in range(near_2.shape[1]):
        via_2 = distance_matrix[np.arange(len(near_2)), near_2[:, c_2]][:, None]
        circle_2 = np.minimum(circle_2, via_2 ** 2 + distance_matrix[near_2[:, c_2]] ** 0.97)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)

    heuristic = (
        inverse ** 0.704
        * np.exp(-distance_matrix / 0.613)
        * 1.0
        * np.sqrt(np.minimum(circle / (distance_matrix ** 0.965 + 1e-6), 4.5))
        * np.sqrt((1.0 / (1.0 + ranks))) ** 1.0
        * inverse
        * (1.0 + np.minimum(circle_2 / (distance_matrix ** 2 + 1e-6), 2.2))
        * np.log1p(((shortest[:, None] + shortest[None, :]) / (3.4 * distance_matrix + 1e-6))) ** 1.2
    )
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return heuristic / heuristic.max()
