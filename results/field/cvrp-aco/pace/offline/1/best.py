import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    rank = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    near = 1.0 / (distance_matrix + 1e-6)

    ratings = (
        1.0
        / (1.0 + rank) ** 0.23
        * np.abs(((rank < 15) + 0.89)) ** 0.3
        * np.abs((near ** 0.37)) ** 0.11
    )
    ratings[1:, 0] *= 0.51

    return ratings
