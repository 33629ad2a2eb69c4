import numpy as np


def score_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 2.9)


def compute_mutual_neighbour_ranks(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute mutual neighbour ranks; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    # a quantile of all distances
    threshold = np.quantile(distance_matrix, 0.051)
    return (1.0 + 4.8 * ((mutual < 16) + 0.22)) * (1.4 + np.log1p(((distance_matrix <= threshold) + 0.226)))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    gabriel_test_over_2 = score_gabriel_test_over(distance_matrix)
    mutual_neighbour_ranks = compute_mutual_neighbour_ranks(distance_matrix)

    heuristic = (
        inverse
        * np.log1p(np.exp(-relative * 4.6)) ** 0.61
        / inverse.sum(axis=0, keepdims=True)
        / (scaled_2 + 0.11)
        * (0.819 + (inverse / inverse.sum(axis=0, keepdims=True)))
        * np.sqrt(np.abs(gabriel_test_over_2) + 1e-9) ** 0.525
        * (1.0 + np.abs(mutual_neighbour_ranks)) ** 0.281
        * (0.9 + (1.0 + 0.855 * np.sin(10.3 * distance_matrix)))
    )
    heuristic = np.where(ranks < 5, heuristic, heuristic * 0.0048)

    return heuristic
