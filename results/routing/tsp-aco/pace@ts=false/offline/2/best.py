import numpy as np


def calculate_wave_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a wave of the distance combined with a Gabriel test over near cities; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return (1.0 + 0.29 * np.sin(2.4 * scaled)) * np.minimum(circle / (distance_matrix ** 2 + 1e-6), 1.7)


def get_shortest_edges_both(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the shortest edges of both cities against this one; returns a matrix with one value per edge."""
    shortest = distance_matrix.min(axis=1)
    return (shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with a list of mutual neighbours; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return (inverse / inverse.sum(axis=1, keepdims=True)) * ((mutual < 15) + 1.2)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    wave_distance_combined = calculate_wave_distance_combined(distance_matrix)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    closeness_against_longest_2 = get_shortest_edges_both(distance_matrix)
    each_edge_share = estimate_each_edge_share(distance_matrix)

    heuristic = (
        inverse ** 0.449
        * np.sqrt(np.abs(wave_distance_combined) + 1e-9) ** 0.76
        * np.log1p(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)) ** 0.309
        * np.exp(-relative * 3.55) ** 0.62
        * relative ** -0.654
        * (0.49 + (0.84 + np.abs(closeness_against_longest_2)))
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.74
        * (0.39 + (1.0 + np.abs(each_edge_share)))
    )

    np.fill_diagonal(heuristic, 0.0)
    return heuristic
