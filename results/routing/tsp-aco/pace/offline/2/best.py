import numpy as np


def compute_remoteness_both_cities(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the remoteness of both cities combined with inverse distance; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    return (remote[:, None] + remote[None, :]) * inverse


def measure_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities combined with a decay in the row's mean distance; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 3.4) + np.exp(-relative * 2.7)


def compute_decay_mean_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay in the row's mean distance combined with the remoteness of both cities; returns a matrix with one value per edge."""
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    return np.exp(-relative * 1.4) * (remote[:, None] + remote[None, :])


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    gabriel_test_over = measure_gabriel_test_over(distance_matrix)
    remoteness_both_cities = compute_remoteness_both_cities(distance_matrix)
    local = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    decay_mean_distance = compute_decay_mean_distance(distance_matrix)

    heuristic = (
        inverse ** 3.83
        / inverse.sum(axis=0, keepdims=True)
        * (0.81 + (1.0 + 0.93 * np.sin(7.56 * distance_matrix)))
        * np.sqrt(np.abs(gabriel_test_over) + 1e-9)
        * (1.0 + 0.607 * np.maximum(remoteness_both_cities, 1e-9))
        / (scaled + 0.29)
        * (1.1 + np.sqrt(np.abs(decay_mean_distance) + 1e-9))
    )
    heuristic = heuristic * (1.0 + 1.18 * (ranks == 0))

    return heuristic
