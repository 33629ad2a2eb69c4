import numpy as np


def get_wave_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a wave of the distance combined with a list of nearest neighbours; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return np.sqrt((1.0 + 0.56 * np.sin(1.1 * scaled))) + ((ranks < 12) + 1.4)


def estimate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.65


def get_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return inverse ** 0.65 * (0.803 + np.log1p((1.0 / (1.0 + ranks))))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    inverse_distance = estimate_inverse_distance(distance_matrix)
    local_3 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)
    inverse_distance_2 = get_inverse_distance(distance_matrix)
    wave_distance_combined = get_wave_distance_combined(distance_matrix)
    local_4 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)

    heuristic = (
        inverse ** 0.662
        * (2.9 + np.sqrt(np.abs(inverse_distance) + 1e-9))
        * inverse_3 ** 0.74
        * (1.0 + np.abs(inverse_distance_2)) ** 0.802
        * (0.74 + (0.097 + np.abs(inverse_distance)))
        * 1.0
        * (1.0 + 0.564 * (0.74 + np.abs(wave_distance_combined)))
        * inverse_4 ** 1.0
    )

    return heuristic
