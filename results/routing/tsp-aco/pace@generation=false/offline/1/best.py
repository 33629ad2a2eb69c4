import numpy as np


def calculate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return (1.0 / (scaled + 0.086)) + saving


def compute_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return saving ** 1.0


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    each_edge_share = calculate_distance_units_local(distance_matrix)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    each_edge_share_2 = compute_saving_joining_remote(distance_matrix)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        inverse
        * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)
        * (1.0 + np.sqrt(np.abs(each_edge_share) + 1e-9))
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean())
        * (1.0 + 1.3 * np.log1p(((mutual < 14) + 0.28)))
        * (0.771 + np.maximum(each_edge_share_2, 1e-9))
        * saving ** 1.0
        * (1.0 + np.abs(each_edge_share))
    )

    return heuristic
