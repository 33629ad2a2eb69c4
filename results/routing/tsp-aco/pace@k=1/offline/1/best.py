import numpy as np


def rate_clustered_cities(distance_matrix: np.ndarray) -> float:
    """Compute how clustered the cities are; returns one number."""
    shortest = distance_matrix.min(axis=1)
    return float(np.median(shortest) / shortest.mean())


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    local_3 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    clustered_cities = rate_clustered_cities(distance_matrix)

    heuristic = (
        inverse ** 0.94
        * (1.0 / (1.0 + mutual)) ** 0.18
        / (scaled_3 + 1.5)
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 0.27
        * saving ** 0.47
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.39
        * (1.0 + 0.98 * np.exp(-0.34 * scaled / (clustered_cities + 1e-9)))
    )
    heuristic = np.where(ranks < 3, heuristic, heuristic * 0.438)
    heuristic = np.where(ranks < 5, heuristic, heuristic * 0.6)
    heuristic = np.where(ranks < 4, heuristic, heuristic * 0.264)

    return heuristic
