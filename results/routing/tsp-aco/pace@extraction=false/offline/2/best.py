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


def compute_closeness_against_longest(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute closeness against the longest edge combined with mutual neighbour ranks; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) * (1.0 / (1.0 + mutual))


def inverse_square_attraction(distance_matrix: np.ndarray) -> np.ndarray:
    """Attract by the inverse square of the distance, each row scaled to its strongest edge;
    returns a matrix with one value per edge."""
    attraction = np.zeros_like(distance_matrix)
    for i in range(distance_matrix.shape[0]):
        row = 1.0 / (distance_matrix[i] ** 2 + 1e-6)
        attraction[i] = row / row.max()
    return attraction


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    closeness_against_longest = compute_closeness_against_longest(distance_matrix)
    gabriel_test_over = score_gabriel_test_over(distance_matrix)
    each_edge_share = inverse_square_attraction(distance_matrix)

    heuristic = (
        inverse ** 3.13
        * inverse
        / inverse.sum(axis=0, keepdims=True)
        * ((ranks < 7) + 0.648) ** 0.825
        * (0.64 + np.abs(closeness_against_longest))
        * np.maximum(gabriel_test_over, 1e-9)
        * np.sqrt(np.abs(each_edge_share) + 1e-9) ** 0.46
        * np.sqrt(np.exp(-distance_matrix / 0.342)) ** 0.15
    )
    heuristic = heuristic * (1.0 + 0.916 * (ranks == 0))

    return heuristic
