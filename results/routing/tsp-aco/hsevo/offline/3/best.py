import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score edges with inverse distance, neighbour ranks and a decay over neighbour ranks, where the rule scales each row to one, scaled to one."""
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    shortest = distance_matrix.min(axis=1)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))

    heuristic = (
        1.0
        / (scaled_2 + 0.13)
        * (3.94 + inverse)
        * ((shortest[:, None] + shortest[None, :]) / (0.99 * distance_matrix + 1e-6)) ** 0.49
        / (scaled_3 + 0.13)
        * (1.0 / (1.0 + ranks)) ** 0.3
        * np.exp(-ranks / 12.6)
        * (shortest[:, None] + shortest[None, :])
    )
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return heuristic / heuristic.max()
