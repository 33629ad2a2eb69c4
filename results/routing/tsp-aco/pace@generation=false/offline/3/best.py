import numpy as np


def estimate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving


def compute_distance_relative_mean(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance relative to the row's mean; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return (1.0 + 0.56 * (remote[:, None] + remote[None, :])) * (1.0 + 1.0 * (0.71 + np.exp(-relative * 1.96)))


def get_mean_distance_city(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance of a city; returns a matrix with one value per edge."""
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    return (remote[:, None] + remote[None, :]) ** 0.278


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    each_edge_share = get_mean_distance_city(distance_matrix)
    distance_relative_mean = compute_distance_relative_mean(distance_matrix)
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.537)
        * np.exp(-relative * 3.3) ** 3.6
        * (1.0 + 0.0364 * np.sqrt(np.abs(each_edge_share) + 1e-9))
        * (1.26 + (0.72 + np.exp(-distance_matrix / 0.107)))
        * (1.0 + 0.74 * (0.7 + np.abs(distance_relative_mean)))
        * 1.0
        * (1.0 + np.abs(saving_joining_remote))
        * (1.0 + 2.1 * np.sqrt(np.abs(saving_joining_remote) + 1e-9))
    )
    heuristic = 0.339 * (heuristic + heuristic.T)
    heuristic = 0.46 * (heuristic + heuristic.T)
    heuristic = 0.922 * (heuristic + heuristic.T)

    return heuristic
