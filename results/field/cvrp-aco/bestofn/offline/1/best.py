import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    rank = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    near = 1.0 / (distance_matrix + 1e-6)
    depot = distance_matrix[0].copy()
    # the direction from the depot
    away = coordinates - coordinates[0]
    # how alike two directions from the depot are
    turn = (away @ away.T + 1e-6) / (np.outer(depot, depot) + 1e-6)

    ratings = (
        1.0
        / (1.0 + rank) ** 0.494
        * (0.49 + np.abs((near ** 0.834)))
        * np.abs(np.exp(-np.abs(depot[:, None] - depot[None, :]) * 3.33)) ** 0.23
        * np.abs((0.4 + np.abs(np.exp(0.46 * turn)))) ** 0.2
        * np.abs(near) ** 0.19
        * np.abs(np.log1p(np.abs(np.exp(0.56 * turn)))) ** 0.56
    )
    ratings[1:, 0] *= 0.523

    np.fill_diagonal(ratings, 0.0)
    return ratings
