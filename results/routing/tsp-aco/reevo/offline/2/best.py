import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    shortest = distance_matrix.min(axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    near = np.argsort(distance_matrix, axis=1)[:, :8]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))

    heuristic = (
        inverse ** 0.97
        * np.sqrt(((shortest[:, None] + shortest[None, :]) / (2.7 * distance_matrix + 1e-6))) ** 0.704
        * (1.0 + 1.3 * (1.0 / (scaled + 0.52)))
        * np.minimum(hop / (distance_matrix + 1e-6), 2.2)
        * np.sqrt((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.912
        * 1.0
        / (scaled + 0.21)
        * (0.55 + (((shortest[:, None] + shortest[None, :]) / (2.2 * distance_matrix + 1e-6)) / ((shortest[:, None] + shortest[None, :]) / (1.8 * distance_matrix + 1e-6)).mean()))
    )
    heuristic = 0.352 * (heuristic + heuristic.T)

    return heuristic
