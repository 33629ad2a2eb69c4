import numpy as np


def score_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its column combined with a threshold at a quantile of all distances; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    threshold = np.quantile(distance_matrix, 0.16)
    return (inverse / inverse.sum(axis=0, keepdims=True)) + ((distance_matrix <= threshold) + 0.35)


def score_remoteness_both_cities(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the remoteness of both cities; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    return (remote[:, None] + remote[None, :])


def evaluate_decay_mean_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay in the row's mean distance combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return np.exp(-relative * 3.8) + saving


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rank edges by inverse distance, distance in units of the local scale, each edge's share in its column and the saving of joining two remote cities, helped by score_each_edge_share, score_remoteness_both_cities and evaluate_decay_mean_distance, sparsified row by row."""
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    each_edge_share = score_each_edge_share(distance_matrix)
    remoteness_both_cities = evaluate_decay_mean_distance(distance_matrix)
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    remoteness_both_cities_2 = score_remoteness_both_cities(distance_matrix)

    heuristic = (
        inverse
        * (1.0 + 0.8 * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()))
        * np.exp(-relative * 3.07)
        * np.sqrt(saving)
        * (1.0 + 1.33 * np.sqrt(np.abs(each_edge_share) + 1e-9))
        * (1.0 + 1.06 * (1.0 + np.abs(remoteness_both_cities)))
        * (1.0 + 0.74 * (1.0 / (scaled + 0.44)))
        * (1.0 + 0.836 * (0.59 + np.abs(remoteness_both_cities_2)))
    )

    cut = np.quantile(heuristic, 0.78, axis=1, keepdims=True)
    return np.where(heuristic >= cut, heuristic, heuristic * 0.0105)
