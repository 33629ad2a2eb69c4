import numpy as np


def get_inverse_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance combined with a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return (inverse / inverse.mean()) + np.minimum(circle / (distance_matrix ** 2 + 1e-6), 1.9)


def rate_mutual_neighbour_ranks(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute mutual neighbour ranks combined with distance in units of the local scale; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return (1.0 / (1.0 + mutual)) * (1.0 / (scaled + 2.8))


def compute_list_nearest_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of nearest neighbours combined with a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    near = np.argsort(distance_matrix, axis=1)[:, :6]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return ((ranks < 15) + 0.61) + np.minimum(hop / (distance_matrix + 1e-6), 3.7)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    mutual_neighbour_ranks = rate_mutual_neighbour_ranks(distance_matrix)
    distance_units_local = compute_list_nearest_neighbours(distance_matrix)
    squared_legs_best = get_inverse_distance_combined(distance_matrix)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        relative ** -0.39
        * np.log1p((np.sqrt(inverse) ** 0.0453))
        * (1.0 / (1.0 + mutual)) ** 0.849
        * (0.925 + np.maximum(mutual_neighbour_ranks, 1e-9))
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.97
        * (1.2 + (1.0 + np.abs(distance_units_local)))
        * (1.0 + 0.32 * np.maximum(squared_legs_best, 1e-9))
        * saving ** 0.73
    )

    return heuristic
