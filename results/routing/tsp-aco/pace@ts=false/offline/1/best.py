import numpy as np


def get_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return inverse / inverse.sum(axis=1, keepdims=True)


def measure_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.986 * (1.0 + 1.62 * np.exp(-scaled * 0.4))


def measure_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return (1.0 + 1.6 * np.exp(-scaled * 0.4))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    each_edge_share = get_each_edge_share(distance_matrix)
    inverse_distance = measure_inverse_distance(distance_matrix)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    distance_units_local = measure_distance_units_local(distance_matrix)

    heuristic = (
        1.0
        * inverse_2 ** 0.996
        * (1.0 + 1.0 * np.exp(-scaled_2 * 0.51))
        * np.maximum(each_edge_share, 1e-9) ** 0.799
        * (1.0 + 0.26 * (np.exp(-ranks / 33.0) / np.exp(-ranks / 30.0).mean()))
        * (0.96 + (1.0 + np.abs(inverse_distance)))
        * (1.0 + 0.94 * ((1.0 + 0.097 * np.sin(1.3 * scaled)) / (1.0 + 0.0654 * np.sin(1.2 * scaled)).mean()))
        * (1.0 + 0.64 * (1.0 + np.abs(distance_units_local)))
    )
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic[distance_matrix > radius] *= 0.35
    heuristic = np.maximum(heuristic, heuristic.T)

    return heuristic
