import numpy as np


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with a wave of the distance; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return (inverse / inverse.sum(axis=1, keepdims=True)) * (1.0 + 0.35 * np.sin(6.0 * distance_matrix))


def measure_list_nearest_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of nearest neighbours; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return ((ranks < 12) + 0.2)


def calculate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return (1.0 / (scaled + 0.086)) + saving


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    each_edge_share = calculate_distance_units_local(distance_matrix)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    list_nearest_neighbours = measure_list_nearest_neighbours(distance_matrix)
    mutual_neighbour_ranks_2 = estimate_each_edge_share(distance_matrix)

    heuristic = (
        np.exp(-distance_matrix / 0.317)
        * (1.0 + 1.37 * (1.0 + np.abs(list_nearest_neighbours)))
        * (1.0 + 1.8 * np.maximum(each_edge_share, 1e-9))
        * (np.exp(-distance_matrix / 0.207) / np.exp(-distance_matrix / 0.3).mean()) ** 0.35
        * (1.0 + (1.0 + np.abs(mutual_neighbour_ranks_2)))
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean())
        * np.maximum(each_edge_share, 1e-9)
    )

    return heuristic / heuristic.max()
