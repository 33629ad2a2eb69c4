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
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    each_edge_share = estimate_each_edge_share(distance_matrix)
    distance_units_local = calculate_distance_units_local(distance_matrix)
    list_nearest_neighbours = measure_list_nearest_neighbours(distance_matrix)
    inverse = 1.0 / (distance_matrix + 1e-6)

    heuristic = (
        np.exp(-distance_matrix / 0.119)
        * (np.exp(-distance_matrix / 0.12) / np.exp(-distance_matrix / 0.27).mean()) ** 0.57
        * np.maximum(each_edge_share, 1e-9) ** 0.449
        * (1.44 + np.maximum(distance_units_local, 1e-9))
        * np.sqrt(np.abs(list_nearest_neighbours) + 1e-9) ** 0.721
        * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)
        / inverse.sum(axis=0, keepdims=True)
        * (4.7 + np.sqrt(np.exp(-ranks / 1.72)))
    )
    heuristic = np.where(mutual < 5, heuristic * 1.4, heuristic)
    heuristic = np.where(mutual < 6, heuristic * 1.29, heuristic)
    heuristic = np.where(mutual < 6, heuristic * 1.4, heuristic)

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
