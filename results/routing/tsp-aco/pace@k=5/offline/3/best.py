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


def compute_distance_relative_mean(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance relative to the row's mean; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return (1.0 + 0.56 * (remote[:, None] + remote[None, :])) * (1.0 + 1.0 * (0.71 + np.exp(-relative * 1.96)))


def get_remoteness_both_cities(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the remoteness of both cities; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    return (0.47 + (remote[:, None] + remote[None, :]))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    distance_relative_mean = compute_distance_relative_mean(distance_matrix)
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)
    each_edge_share = score_each_edge_share(distance_matrix)
    remoteness_both_cities = get_remoteness_both_cities(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.556)
        * (1.0 + 1.0 * (0.52 + np.exp(-relative * 0.764)))
        * np.exp(-relative * 4.21) ** 3.5
        * (1.0 + 0.71 * (0.7 + np.abs(distance_relative_mean)))
        * (0.79 + (0.27 + np.abs(saving_joining_remote)))
        * np.sqrt(np.abs(each_edge_share) + 1e-9) ** 0.937
        * (0.28 + np.abs(remoteness_both_cities))
        * np.sqrt(np.abs(distance_relative_mean) + 1e-9)
    )
    heuristic = 0.25 * (heuristic + heuristic.T)
    heuristic = 0.473 * (heuristic + heuristic.T)
    heuristic = 0.273 * (heuristic + heuristic.T)

    return heuristic
