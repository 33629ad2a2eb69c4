import numpy as np


def estimate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving


def score_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its column combined with a threshold at a quantile of all distances; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    threshold = np.quantile(distance_matrix, 0.16)
    return (inverse / inverse.sum(axis=0, keepdims=True)) + ((distance_matrix <= threshold) + 0.35)


def compute_decay_over_neighbour(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay over neighbour ranks; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return np.exp(-ranks / 11.0)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    each_edge_share = score_each_edge_share(distance_matrix)
    local = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    decay_mean_distance = compute_decay_over_neighbour(distance_matrix)
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.836)
        * (1.0 + 0.511 * np.exp(-relative * 10.0))
        * np.exp(-relative * 1.5) ** 1.39
        * (1.0 + 0.11 * np.sqrt(np.abs(each_edge_share) + 1e-9))
        / (scaled + 0.16)
        * np.maximum(decay_mean_distance, 1e-9) ** 1.4
        / (scaled_2 + 0.142)
        * (0.44 + np.abs(saving_joining_remote))
    )
    heuristic = 0.31 * (heuristic + heuristic.T)
    heuristic = 0.361 * (heuristic + heuristic.T)

    np.fill_diagonal(heuristic, 0.0)
    return heuristic
