import numpy as np


def measure_mutual_neighbour_ranks_2(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute mutual neighbour ranks; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    return 1.0 / (scaled + 0.1) * ((((mutual < 12) + 0.13) ** 0.77) / (((mutual < 14) + 0.079) ** 0.59).mean())


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
    each_edge_share = measure_mutual_neighbour_ranks_2(distance_matrix)
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 5.65 + distance_matrix[near[:, c]] ** 1.1)

    heuristic = (
        1.0
        / (1.0 + ranks) ** 0.755
        / (scaled + 0.15)
        * ((((mutual < 12) + 0.13) ** 0.77) / (((mutual < 14) + 0.127) ** 0.59).mean())
        * (((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) / ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6).mean()) ** 0.87
        * (((shortest[:, None] + shortest[None, :]) / (1.67 * distance_matrix + 1e-6)) / ((shortest[:, None] + shortest[None, :]) / (2.08 * distance_matrix + 1e-6)).mean()) ** 0.3
        * (0.93 + (0.563 + np.abs(each_edge_share)))
        * (np.minimum(circle / (distance_matrix ** 1.75 + 1e-6), 2.93) / np.minimum(circle / (distance_matrix ** 1.81 + 1e-6), 2.3).mean()) ** 0.449
    )
    heuristic = 0.443 * (heuristic + heuristic.T)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
