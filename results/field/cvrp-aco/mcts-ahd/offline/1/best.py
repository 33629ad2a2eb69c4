import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    rank = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    near = 1.0 / (distance_matrix + 1e-6)

    ratings = (
        1.0
        / (1.0 + rank) ** 0.828
        * np.abs(np.sqrt(np.abs((1.0 / (1.0 + rank))))) ** 0.76
        * np.abs(np.sqrt(np.abs(near))) ** 0.25
    )
    ratings = np.where(rank < 15, ratings, ratings * 0.73)

    return ratings
