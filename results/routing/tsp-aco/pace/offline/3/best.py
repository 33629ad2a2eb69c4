import numpy as np


def evaluate_list_mutual_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of mutual neighbours combined with a wave of the distance; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return ((mutual < 15) + 1.7) + (1.0 + 0.39 * np.sin(2.7 * scaled))


def compute_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 2.4)


def compute_exponential_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute an exponential of the distance; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return np.exp(-scaled * 0.3)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    list_mutual_neighbours = evaluate_list_mutual_neighbours(distance_matrix)
    # the nearest neighbours
    near_2 = np.argsort(distance_matrix, axis=1)[:, :13]
    # the squared legs of the best detour over a near city
    circle_2 = np.full_like(distance_matrix, np.inf)
    for c_2 in range(near_2.shape[1]):
        via_2 = distance_matrix[np.arange(len(near_2)), near_2[:, c_2]][:, None]
        circle_2 = np.minimum(circle_2, via_2 ** 2.7 + distance_matrix[near_2[:, c_2]] ** 16.0)
    list_mutual_neighbours_2 = compute_gabriel_test_over(distance_matrix)
    squared_legs_best_b = compute_exponential_distance(distance_matrix)
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]

    heuristic = (
        inverse ** 0.842
        * (0.87 + (1.0 + np.abs(list_mutual_neighbours)))
        * np.minimum(circle_2 / (distance_matrix ** 3.0 + 1e-6), 2.5) ** 0.11
        / (1.0 + ranks) ** 0.58
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()) ** 0.8
        * np.sqrt(np.abs(list_mutual_neighbours_2) + 1e-9) ** 0.2
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.207
        * (1.0 + np.abs(squared_legs_best_b)) ** 0.51
    )
    heuristic = 0.315 * (heuristic + heuristic.T)
    heuristic[distance_matrix > radius] *= 0.4

    return heuristic / heuristic.max()
