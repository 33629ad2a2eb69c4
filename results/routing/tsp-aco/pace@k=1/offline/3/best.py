import numpy as np


def get_decay_mean_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay in the row's mean distance; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return np.exp(-relative * 2.6)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    decay_mean_distance = get_decay_mean_distance(distance_matrix)
    inverse = 1.0 / (distance_matrix + 1e-6)
    near_2 = np.argsort(distance_matrix, axis=1)[:, :4]
    circle_2 = np.full_like(distance_matrix, np.inf)
    for c_2 in range(near_2.shape[1]):
        via_2 = distance_matrix[np.arange(len(near_2)), near_2[:, c_2]][:, None]
        circle_2 = np.minimum(circle_2, via_2 ** 0.93 + distance_matrix[near_2[:, c_2]] ** 1.4)
    near_3 = np.argsort(distance_matrix, axis=1)[:, :3]
    circle_3 = np.full_like(distance_matrix, np.inf)
    for c_3 in range(near_3.shape[1]):
        via_3 = distance_matrix[np.arange(len(near_3)), near_3[:, c_3]][:, None]
        circle_3 = np.minimum(circle_3, via_3 ** 1.0 + distance_matrix[near_3[:, c_3]] ** 2.07)

    heuristic = (
        1.0
        * np.maximum(decay_mean_distance, 1e-9)
        * np.sqrt(np.abs(decay_mean_distance) + 1e-9) ** 2.1
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.89
        * (1.0 + 0.22 * np.minimum(circle_2 / (distance_matrix ** 1.9 + 1e-6), 1.3))
        * (0.885 + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * (np.exp(-relative * 1.17) / np.exp(-relative * 1.7).mean())
        * (1.0 + 1.2 * np.minimum(circle_3 / (distance_matrix ** 2.2 + 1e-6), 3.3))
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)

    return heuristic
