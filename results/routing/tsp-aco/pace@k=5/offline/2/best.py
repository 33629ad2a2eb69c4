import numpy as np


def get_inverse_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance combined with each edge's share in its row; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return inverse + (inverse / inverse.sum(axis=1, keepdims=True))


def rate_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :6]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 3.5)


def calculate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with a relative-neighbour test over near cities; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    near = np.argsort(distance_matrix, axis=1)[:, :6]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    return ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean()) * np.minimum(hop / (distance_matrix + 1e-6), 3.0)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    each_edge_share = get_inverse_distance_combined(distance_matrix)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    each_edge_share_2 = rate_gabriel_test_over(distance_matrix)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    each_edge_share_3 = calculate_each_edge_share(distance_matrix)

    heuristic = (
        inverse ** 1.7
        * 1.0
        / (scaled + 0.339)
        * (0.2 + np.exp(-ranks / 1.7))
        * np.sqrt(np.abs(each_edge_share) + 1e-9)
        * (1.0 + np.abs(each_edge_share_2))
        * ((mutual < 14) + 0.083) ** 0.9
        * (shortest[:, None] + shortest[None, :])
        * (1.0 + 1.2 * (1.0 + np.abs(each_edge_share_3)))
    )
    heuristic = heuristic * (1.0 + 0.75 * (ranks == 0))
    heuristic = 0.324 * (heuristic + heuristic.T)
    heuristic = 0.611 * (heuristic + heuristic.T)

    return heuristic
