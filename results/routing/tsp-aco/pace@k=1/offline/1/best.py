import numpy as np


def evaluate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return inverse / inverse.sum(axis=1, keepdims=True)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    each_edge_share = evaluate_each_edge_share(distance_matrix)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)

    heuristic = (
        1.0
        / (relative + 0.067)
        * np.exp(-relative * 3.12) ** 0.99
        * ((shortest[:, None] + shortest[None, :]) / (4.0 * distance_matrix + 1e-6)) ** 0.36
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.42
        * np.log1p(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * (0.494 + (1.0 + np.abs(each_edge_share)))
        * (1.0 + 1.8 * (((ranks < 5) + 0.0842) / ((ranks < 6) + 0.21).mean()))
    )
    heuristic = np.maximum(heuristic, heuristic.T)

    return heuristic
