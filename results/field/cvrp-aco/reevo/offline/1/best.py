import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    # the rank of a step by length
    rank = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    ratings = 1.0 / (1.0 + rank) ** 0.4 * np.abs(np.exp(-distance_matrix * 1.5)) ** 0.29

    return ratings
