import numpy as np


def measure_wave_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a wave of the distance; returns a matrix with one value per edge."""
    return (1.0 + 0.72 * np.sin(3.2 * distance_matrix))


def score_closeness_against_longest(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute closeness against the longest edge; returns a matrix with one value per edge."""
    return np.sqrt(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))


def rate_shortest_edges_both(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the shortest edges of both cities against this one; returns a matrix with one value per edge."""
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    return (shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    wave_distance = measure_wave_distance(distance_matrix)
    mutual_neighbour_ranks = rate_shortest_edges_both(distance_matrix)
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    closeness_against_longest = score_closeness_against_longest(distance_matrix)

    heuristic = (
        1.0
        / (scaled + 0.0544)
        * (((shortest[:, None] + shortest[None, :]) / (0.96 * distance_matrix + 1e-6)) / ((shortest[:, None] + shortest[None, :]) / (3.0 * distance_matrix + 1e-6)).mean()) ** 0.565
        * np.sqrt(np.abs(wave_distance) + 1e-9)
        * np.sqrt(np.abs(mutual_neighbour_ranks) + 1e-9) ** 0.88
        / (scaled_2 + 0.136)
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 1.0
        * np.sqrt(np.abs(closeness_against_longest) + 1e-9)
    )
    heuristic = 0.73 * (heuristic + heuristic.T)
    heuristic = 0.382 * (heuristic + heuristic.T)
    heuristic = 0.2 * (heuristic + heuristic.T)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
