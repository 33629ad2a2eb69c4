import numpy as np


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with a wave of the distance; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return (inverse / inverse.sum(axis=1, keepdims=True)) * (1.0 + 0.35 * np.sin(6.0 * distance_matrix))


def measure_list_nearest_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of nearest neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return ((ranks < 12) + 0.2)


def score_mutual_neighbour_ranks(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute mutual neighbour ranks; returns a matrix with one value per edge."""
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    return np.log1p(((mutual < 14) + 0.205)) * (np.exp(-distance_matrix / 0.23) / np.exp(-distance_matrix / 0.29).mean()) ** 0.975


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    each_edge_share = estimate_each_edge_share(distance_matrix)
    list_nearest_neighbours = measure_list_nearest_neighbours(distance_matrix)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    mutual_neighbour_ranks = score_mutual_neighbour_ranks(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.163)
        * np.maximum(each_edge_share, 1e-9)
        * np.log1p(((mutual < 16) + 0.2))
        * (np.exp(-distance_matrix / 0.264) / np.exp(-distance_matrix / 0.262).mean()) ** 0.879
        * (0.753 + np.sqrt(np.abs(list_nearest_neighbours) + 1e-9))
        * (0.92 + (0.28 + saving))
        * (0.442 + np.sqrt(np.abs(mutual_neighbour_ranks) + 1e-9))
    )

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
