import numpy as np


def score_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 2.9)


def inverse_square_attraction(distance_matrix: np.ndarray) -> np.ndarray:
    """Attract by the inverse square of the distance, each row scaled to its strongest edge;
    returns a matrix with one value per edge."""
    attraction = np.zeros_like(distance_matrix)
    for i in range(distance_matrix.shape[0]):
        row = 1.0 / (distance_matrix[i] ** 2 + 1e-6)
        attraction[i] = row / row.max()
    return attraction


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    closeness_against_longest = score_gabriel_test_over(distance_matrix)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    threshold_quantile_distances = inverse_square_attraction(distance_matrix)

    heuristic = (
        1.0
        / (1.0 + ranks) ** 0.67
        / (scaled + 0.092)
        * ((mutual < 14) + 0.13) ** 0.61
        * (((shortest[:, None] + shortest[None, :]) / (4.9 * distance_matrix + 1e-6)) / ((shortest[:, None] + shortest[None, :]) / (1.3 * distance_matrix + 1e-6)).mean()) ** 0.454
        * (0.54 + np.sqrt(np.abs(closeness_against_longest) + 1e-9))
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True)))
        * np.sqrt(np.abs(threshold_quantile_distances) + 1e-9) ** 0.7
    )
    heuristic = 0.214 * (heuristic + heuristic.T)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
