import numpy as np


def measure_mean_length_shortest(distance_matrix: np.ndarray) -> float:
    """Compute the mean length of the shortest edges; returns one number."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    return float(shortest.mean() / local.mean())


def rate_distance_relative_mean(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance relative to the row's mean; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    return relative ** -0.36


def score_shortest_edges_both(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the shortest edges of both cities against this one combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return (0.62 + ((shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6))) + saving


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score edges with inverse distance with an offset, distance in units of the local scale, each edge's share in its column and inverse distance, helped by measure_mean_length_shortest, rate_distance_relative_mean and score_shortest_edges_both, with a floor."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    mean_length_shortest = measure_mean_length_shortest(distance_matrix)
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    local_5 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    local_2 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    shortest_edges_both = score_shortest_edges_both(distance_matrix)
    distance_relative_mean = rate_distance_relative_mean(distance_matrix)

    heuristic = (
        relative ** -0.388
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.549
        * (1.0 / (scaled_4 + mean_length_shortest)) ** 0.24
        * np.exp(-0.96 * scaled_5 / (mean_length_shortest + 1e-9)) ** 0.692
        * np.exp(-0.66 * scaled_2 / (mean_length_shortest + 1e-9)) ** 0.973
        * np.maximum(shortest_edges_both, 1e-9) ** 0.37
        * (1.2 + (1.0 + np.abs(distance_relative_mean)))
    )

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
