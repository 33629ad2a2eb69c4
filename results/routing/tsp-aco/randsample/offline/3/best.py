import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 12][:, None]
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        inverse ** 0.75
        * inverse ** 0.34
        * ((distance_matrix <= radius) + 0.99) ** 0.13
        * np.sqrt(((distance_matrix <= radius) + 1.8)) ** 0.18
        * ((1.0 / (1.0 + ranks)) / (1.0 / (1.0 + ranks)).mean()) ** 0.29
    )
    heuristic = np.maximum(heuristic, heuristic.T)

    return heuristic
