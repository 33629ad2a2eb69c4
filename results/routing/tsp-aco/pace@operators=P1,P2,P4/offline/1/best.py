import numpy as np


def score_largest_local_scale(distance_matrix: np.ndarray) -> float:
    """Compute the largest local scale; returns one number."""
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    return float(local.max() / local.mean())


def compute_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return np.log1p(np.exp(-relative * 1.5)) ** 0.065 * inverse ** 0.498


def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one
    value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :4].mean(axis=1) / ordered.mean()


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    largest_local_scale = score_largest_local_scale(distance_matrix)
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    local_4 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_3 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # the local scale around a city
    local_5 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    # inverse distance
    inverse = 1.0 / (scaled_5 + 1e-6)
    saving_joining_remote_2 = compute_inverse_distance(distance_matrix)
    local_density_value = local_density(distance_matrix)
    local_density_value = np.resize(np.nan_to_num(np.asarray(local_density_value, dtype=float), posinf=1e9), distance_matrix.shape)

    heuristic = (
        relative ** -0.47
        * (1.0 / (scaled + largest_local_scale)) ** 0.99
        * np.exp(-scaled_4 * 0.628)
        * ((ranks < 5) + 1.3) ** 0.171
        * np.log1p((0.816 + np.exp(-0.205 * scaled_3 / (largest_local_scale + 1e-9))))
        * inverse ** 0.18
        * np.maximum(saving_joining_remote_2, 1e-9) ** 0.25
        * np.sqrt(np.abs(local_density_value) + 1e-9) ** 0.704
    )
    heuristic = np.where(ranks < 12, heuristic, heuristic * 0.64)
    heuristic = heuristic * (1.0 + 0.76 * (ranks == 0))
    heuristic = np.where(ranks < 11, heuristic, heuristic * 0.272)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
