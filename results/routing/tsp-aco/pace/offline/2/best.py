import numpy as np


def calculate_closeness_against_longest(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute closeness against the longest edge combined with a Gabriel test over near cities; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) + np.minimum(circle / (distance_matrix ** 2 + 1e-6), 3.3)


def evaluate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return inverse ** 0.96 * (saving / saving.mean()) ** 0.29


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with closeness against the longest edge; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return (0.61 + (inverse / inverse.sum(axis=1, keepdims=True))) + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    closeness_against_longest = calculate_closeness_against_longest(distance_matrix)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    inverse_distance = evaluate_inverse_distance(distance_matrix)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    each_edge_share = estimate_each_edge_share(distance_matrix)

    heuristic = (
        relative ** -0.355
        * (saving / saving.mean()) ** 0.59
        * (0.77 + (1.0 + np.abs(inverse_distance)))
        * inverse_2 ** 0.94
        * (2.6 + np.maximum(closeness_against_longest, 1e-9))
        * np.exp(-ranks / 3.7) ** 0.186
        * (1.0 + 1.2 * np.sqrt(np.abs(each_edge_share) + 1e-9))
    )
    heuristic = heuristic * (1.0 + 0.867 * (ranks == 0))
    heuristic = heuristic * (1.0 + 0.669 * (ranks == 0))
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return heuristic
