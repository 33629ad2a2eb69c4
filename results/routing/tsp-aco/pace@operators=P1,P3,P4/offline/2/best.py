import numpy as np


def evaluate_list_mutual_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of mutual neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return ((mutual < 10) + 0.25)


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


def score_wave_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a wave of the distance combined with a decay in the row's mean distance; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return np.sqrt((1.0 + 0.37 * np.sin(5.2 * distance_matrix))) * np.exp(-relative * 3.3)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    list_mutual_neighbours = evaluate_list_mutual_neighbours(distance_matrix)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    shortest = distance_matrix.min(axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    gabriel_test_over = score_gabriel_test_over(distance_matrix)
    wave_distance_combined = score_wave_distance_combined(distance_matrix)

    heuristic = (
        inverse ** 1.2
        * np.maximum(list_mutual_neighbours, 1e-9) ** 0.98
        * np.maximum(list_mutual_neighbours, 1e-9)
        * (shortest[:, None] + shortest[None, :])
        / (2.84 * distance_matrix + 1e-6)
        / (scaled + 0.45)
        * (1.0 + 0.26 * np.maximum(gabriel_test_over, 1e-9))
        * (1.0 + 1.2 * np.sqrt(np.abs(wave_distance_combined) + 1e-9))
    )
    heuristic = np.where(ranks < 5, heuristic, heuristic * 0.00446)

    return heuristic
