import numpy as np


def estimate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving


def estimate_exponential_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute an exponential of the distance; returns a matrix with one value per edge."""
    return np.exp(-distance_matrix / 0.21)


def rate_list_mutual_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of mutual neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return ((mutual < 12) + 0.18)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    each_edge_share = estimate_saving_joining_remote(distance_matrix)
    inverse = 1.0 / (distance_matrix + 1e-6)
    exponential_distance = estimate_exponential_distance(distance_matrix)
    near = np.argsort(distance_matrix, axis=1)[:, :7]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 1.18 + distance_matrix[near[:, c]] ** 2.27)
    list_mutual_neighbours = rate_list_mutual_neighbours(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.65)
        * (1.0 + 0.117 * np.exp(-relative * 8.7))
        * np.exp(-relative * 5.13) ** 2.8
        * (0.46 + np.abs(each_edge_share)) ** 0.87
        * (1.0 + 0.886 * np.log1p((inverse / inverse.sum(axis=1, keepdims=True))))
        * (0.495 + (0.23 + np.abs(exponential_distance)))
        * (1.0 + 4.1 * np.minimum(circle / (distance_matrix ** 4.4 + 1e-6), 4.1))
        * (1.0 + 0.99 * (1.0 + np.abs(list_mutual_neighbours)))
    )
    heuristic = 0.232 * (heuristic + heuristic.T)
    heuristic = 0.332 * (heuristic + heuristic.T)
    heuristic = 0.223 * (heuristic + heuristic.T)

    cut = np.quantile(heuristic, 0.955, axis=1, keepdims=True)
    return np.where(heuristic >= cut, heuristic, heuristic * 0.000628)
