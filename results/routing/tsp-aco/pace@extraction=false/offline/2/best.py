import numpy as np


def compute_mutual_neighbour_ranks(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute mutual neighbour ranks combined with an exponential of the distance; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return (1.0 / (1.0 + mutual)) * np.exp(-scaled * 0.16)


def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one
    value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < 6
    return 1.0 + 0.46 * (close & close.T) + 0.74 * (close | close.T)


def rate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with inverse distance; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return (inverse / inverse.sum(axis=1, keepdims=True)) + inverse


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    shortest = distance_matrix.min(axis=1)
    exponential_distance = mutual_neighbour_bonus(distance_matrix)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    mutual_neighbour_ranks = compute_mutual_neighbour_ranks(distance_matrix)
    each_edge_share = rate_each_edge_share(distance_matrix)

    heuristic = (
        inverse ** 0.98
        * ((shortest[:, None] + shortest[None, :]) / (1.01 * distance_matrix + 1e-6)) ** 0.31
        * (2.4 + np.exp(-scaled * 0.19))
        * (1.0 + np.abs(exponential_distance)) ** 0.129
        / (1.0 + ranks) ** 0.474
        * np.exp(-relative * 0.515) ** 0.43
        * (0.71 + np.abs(mutual_neighbour_ranks)) ** 0.49
        * (0.97 + (0.52 + (0.23 + np.abs(each_edge_share))))
    )

    return heuristic
