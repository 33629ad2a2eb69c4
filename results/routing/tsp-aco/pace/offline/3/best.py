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


def get_distance_relative_mean(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance relative to the row's mean; returns a matrix with one value per edge."""
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return (1.0 + 1.0 * (0.855 + np.exp(-relative * 1.3))) * (1.0 + 0.353 * np.exp(-relative * 8.32))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    each_edge_share = get_distance_relative_mean(distance_matrix)
    each_edge_share_2 = score_each_edge_share(distance_matrix)

    heuristic = (
        1.0
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.93
        * (1.0 + 1.75 * np.sqrt(np.abs(saving_joining_remote) + 1e-9))
        * np.exp(-distance_matrix / 0.5)
        * np.exp(-relative * 2.68) ** 1.6
        * (1.0 + 0.19 * np.sqrt(np.abs(each_edge_share) + 1e-9))
        * inverse
        * (0.75 + (0.31 + np.abs(each_edge_share_2)))
    )
    heuristic = 0.925 * (heuristic + heuristic.T)
    heuristic = 0.099 * (heuristic + heuristic.T)
    heuristic = 0.52 * (heuristic + heuristic.T)

    return heuristic
