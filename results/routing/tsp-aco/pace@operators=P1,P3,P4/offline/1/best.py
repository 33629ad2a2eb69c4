import numpy as np


def estimate_list_mutual_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of mutual neighbours combined with an exponential of the distance; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return ((mutual < 10) + 0.91) * np.exp(-scaled * 0.21)


def estimate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    return inverse ** 0.8 * (1.0 + 1.2 * ((distance_matrix <= radius) + 1.7))


def rate_decay_mean_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a decay in the row's mean distance combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return np.exp(-relative * 1.5) + saving


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    list_mutual_neighbours = estimate_list_mutual_neighbours(distance_matrix)
    inverse_distance = estimate_inverse_distance(distance_matrix)
    decay_mean_distance = rate_decay_mean_distance(distance_matrix)

    heuristic = (
        relative ** -0.97
        * np.sqrt(saving) ** 0.958
        * 1.0
        * inverse ** 0.945
        * (1.0 + 1.6 * ((1.0 + 0.354 * np.sin(7.4 * scaled)) / (1.0 + 0.17 * np.sin(3.2 * scaled)).mean()))
        * (0.84 + np.maximum(list_mutual_neighbours, 1e-9))
        * (1.2 + (1.0 + np.abs(inverse_distance)))
        * (1.0 + np.abs(decay_mean_distance)) ** 0.15
    )
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
