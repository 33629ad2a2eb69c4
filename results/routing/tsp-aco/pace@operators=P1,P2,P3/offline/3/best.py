import numpy as np


def estimate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return (1.0 / (scaled + 2.3)) + np.minimum(hop / (distance_matrix + 1e-6), 3.4)


def evaluate_inverse_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance combined with closeness against the longest edge; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return inverse * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)


def evaluate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    inverse_distance_combined = evaluate_inverse_distance_combined(distance_matrix)
    distance_units_local = estimate_distance_units_local(distance_matrix)
    gabriel_test_over = evaluate_saving_joining_remote(distance_matrix)

    heuristic = (
        inverse ** 0.85
        * np.log1p(np.exp(-scaled * 0.0736)) ** 0.15
        * np.maximum(inverse_distance_combined, 1e-9) ** 0.66
        * inverse ** 0.41
        * (1.0 + 2.7 * (1.0 + np.abs(distance_units_local)))
        * (0.699 + (0.225 + np.abs(gabriel_test_over)))
        * (1.0 / (scaled + 1.5)) ** 0.27
        * (0.48 + np.log1p(np.exp(-ranks / 42.0)))
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)
    heuristic = np.where(mutual < 11, heuristic * 1.7, heuristic)

    cut = np.sort(heuristic, axis=1)[:, -19][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.354)
