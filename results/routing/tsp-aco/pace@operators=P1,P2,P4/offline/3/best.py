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


def rate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with a list of mutual neighbours; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    return (1.0 / (scaled + 0.36)) + ((mutual < 8) + 0.19)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rank edges by a power of the inverse distance, inverse distance, an exponential of the distance and the remoteness of both cities, helped by estimate_saving_joining_remote, score_each_edge_share and rate_distance_units_local, where the rule weakens edges above a quantile, with a zero diagonal."""
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # a quantile of all distances
    threshold = np.quantile(distance_matrix, 0.074)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    saving_joining_remote = estimate_saving_joining_remote(distance_matrix)
    # a quantile of all distances
    threshold_2 = np.quantile(distance_matrix, 0.0644)
    inverse_distance = score_each_edge_share(distance_matrix)
    each_edge_share = rate_distance_units_local(distance_matrix)

    heuristic = (
        inverse ** 2.1
        * (1.0 + 0.77 * (remote[:, None] + remote[None, :]))
        * (1.0 + 0.706 * (0.395 + np.abs(saving_joining_remote)))
        * (0.64 + np.abs(saving_joining_remote)) ** 0.98
        * (0.739 + np.maximum(inverse_distance, 1e-9))
        * (0.68 + np.sqrt(np.abs(each_edge_share) + 1e-9))
        * np.exp(-distance_matrix / 0.489)
    )
    heuristic[distance_matrix > threshold] *= 0.097
    heuristic[distance_matrix > threshold_2] *= 0.14
    heuristic[distance_matrix > threshold] *= 0.049

    np.fill_diagonal(heuristic, 0.0)
    return heuristic
