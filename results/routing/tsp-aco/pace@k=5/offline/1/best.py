import numpy as np


def evaluate_relative_neighbour_test(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a relative-neighbour test over near cities combined with mutual neighbour ranks; returns a matrix with one value per edge."""
    near = np.argsort(distance_matrix, axis=1)[:, :4]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    return np.minimum(hop / (distance_matrix + 1e-6), 2.3) * (1.0 / (1.0 + mutual))


def get_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.56


def calculate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return (np.exp(-scaled * 0.162) / np.exp(-scaled * 0.15).mean()) * np.exp(-scaled * 0.0696)


def get_inverse_distance_b(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse = 1.0 / (scaled_2 + 1e-6)
    return np.exp(-scaled * 0.083) * inverse ** 0.862


def estimate_neighbour_ranks_combined(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute neighbour ranks combined with inverse distance; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    return (1.0 / (1.0 + ranks)) * inverse


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rank edges by a power of the inverse distance, an exponential of the distance and inverse distance, helped by evaluate_relative_neighbour_test, get_inverse_distance, calculate_distance_units_local, get_inverse_distance_b and estimate_neighbour_ranks_combined, sparsified row by row."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse = 1.0 / (scaled_2 + 1e-6)
    mutual_neighbour_bonus_value = get_inverse_distance_b(distance_matrix)
    distance_units_local = calculate_distance_units_local(distance_matrix)
    radius_around_each = estimate_neighbour_ranks_combined(distance_matrix)
    inverse_distance = get_inverse_distance(distance_matrix)
    relative_neighbour_test = evaluate_relative_neighbour_test(distance_matrix)

    heuristic = (
        np.exp(-scaled * 0.083)
        * inverse ** 0.93
        * (1.0 + 0.99 * np.maximum(mutual_neighbour_bonus_value, 1e-9))
        * (np.exp(-scaled * 0.26) / np.exp(-scaled * 0.12).mean())
        * (0.463 + np.abs(distance_units_local)) ** 0.252
        * (0.33 + np.abs(radius_around_each)) ** 0.64
        * (1.0 + np.maximum(inverse_distance, 1e-9))
        * (0.83 + np.abs(relative_neighbour_test)) ** 0.19
    )

    cut = np.sort(heuristic, axis=1)[:, -16][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.23)
