import numpy as np


def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one
    value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < 5
    return 1.0 + 0.57 * (close & close.T) + 0.54 * (close | close.T)


def measure_mean_length_shortest(distance_matrix: np.ndarray) -> float:
    """Compute the mean length of the shortest edges; returns one number."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    return float(shortest.mean() / local.mean())


def estimate_inverse_distance_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance combined with a list of mutual neighbours; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return inverse + ((mutual < 8) + 2.0)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual_neighbour_bonus_value = mutual_neighbour_bonus(distance_matrix)
    shortest = distance_matrix.min(axis=1)
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    local_2 = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    each_edge_share = estimate_inverse_distance_combined(distance_matrix)
    mean_length_shortest = measure_mean_length_shortest(distance_matrix)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        relative ** -0.85
        * ((shortest[:, None] + shortest[None, :]) / (1.6 * distance_matrix + 1e-6)) ** 0.25
        * (1.0 + 0.1 * np.sin(1.58 * scaled)) ** 0.137
        * (inverse_2 / inverse_2.sum(axis=1, keepdims=True)) ** 0.649
        * (1.0 + 0.995 * (0.552 + np.abs(mutual_neighbour_bonus_value)))
        * np.maximum(each_edge_share, 1e-9) ** 0.73
        * np.exp(-0.38 * scaled / (mean_length_shortest + 1e-9)) ** 0.75
        * saving ** 0.17
    )
    heuristic = np.where(ranks < 14, heuristic, heuristic * 0.39)
    heuristic = np.where(ranks < 8, heuristic, heuristic * 0.82)
    heuristic = np.maximum(heuristic, heuristic.T)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
