import numpy as np


def get_decay_over_neighbour(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay over neighbour ranks; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return np.sqrt(np.exp(-ranks / 30.0))


def rate_wave_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a wave of the distance combined with a decay over neighbour ranks; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return (1.0 + 0.26 * np.sin(0.86 * scaled)) * np.exp(-ranks / 28.0)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rate edges by a combination of a power of the inverse distance, distance in units of the local scale, each edge's share in its row and inverse distance, helped by get_decay_over_neighbour and rate_wave_distance_combined, where the rule normalises each row, as it is."""
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse = 1.0 / (scaled_2 + 1e-6)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # inverse distance
    inverse_2 = 1.0 / (scaled_3 + 1e-6)
    wave_distance_combined = rate_wave_distance_combined(distance_matrix)
    decay_over_neighbour = get_decay_over_neighbour(distance_matrix)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse_3 = 1.0 / (scaled + 1e-6)

    heuristic = (
        1.0
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.675
        * inverse ** 0.98
        * (1.0 + 0.45 * np.maximum(wave_distance_combined, 1e-9))
        * (1.44 + (1.0 + np.abs(decay_over_neighbour)))
        * (0.97 + ((mutual < 9) + 0.84))
        * (inverse_2 / inverse_2.sum(axis=1, keepdims=True)) ** 0.36
        * inverse_3 ** 0.6
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)

    return heuristic
