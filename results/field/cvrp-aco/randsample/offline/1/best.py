import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    near = 1.0 / (distance_matrix + 1e-6)
    load = demands / capacity
    rank = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    ratings = (
        near ** 0.49
        * np.abs(np.log1p(np.abs((1.0 + 1.9 * load[None, :])))) ** 0.18
        * np.abs(((rank < 6) + 0.28)) ** 0.18
    )
    ratings = np.where(rank < 15, ratings, ratings * 0.21)

    return ratings
