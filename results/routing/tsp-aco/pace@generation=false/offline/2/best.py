import numpy as np


def calculate_list_nearest_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of nearest neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return ((ranks < 5) + 1.1)


def evaluate_mean_distance_units(distance_matrix: np.ndarray) -> float:
    """Compute the mean distance in units of the local scale; returns one number."""
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return float(scaled.mean())


def evaluate_neighbour_ranks(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute neighbour ranks; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return 1.0 / (1.0 + ranks)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # the distance of each city to one of its nearest neighbours
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    # the local scale around a city
    local_2 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    # distance in units of the local scale
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    # inverse distance
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    neighbour_ranks = evaluate_neighbour_ranks(distance_matrix)
    mean_distance_units = evaluate_mean_distance_units(distance_matrix)
    list_nearest_neighbours = calculate_list_nearest_neighbours(distance_matrix)
    # the local scale around a city
    local_3 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    # inverse distance
    inverse_3 = 1.0 / (scaled_3 + 1e-6)

    heuristic = (
        inverse ** 0.995
        * saving ** 0.47
        * inverse_2 ** 0.742
        * (0.87 + np.abs(neighbour_ranks)) ** 0.741
        * (0.245 + (1.0 / (scaled + mean_distance_units)))
        * (0.79 + np.abs(list_nearest_neighbours)) ** 0.28
        * inverse_3 ** 0.25
        * (0.39 + (1.0 / (scaled_3 + mean_distance_units)))
    )
    heuristic[distance_matrix > radius] *= 0.99
    heuristic = np.where(ranks < 13, heuristic, heuristic * 0.381)
    heuristic[distance_matrix > radius] *= 0.9

    return heuristic
