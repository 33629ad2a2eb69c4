import numpy as np


def calculate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse


def estimate_shortest_edges_both(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the shortest edges of both cities against this one; returns a matrix with one value per edge."""
    shortest = distance_matrix.min(axis=1)
    return (shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)


def rate_saving_joining_remote(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the saving of joining two remote cities combined with neighbour ranks; returns a matrix with one value per edge."""
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    return saving * (1.0 / (1.0 + ranks))


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    shortest_edges_both = calculate_inverse_distance(distance_matrix)
    saving_joining_remote = rate_saving_joining_remote(distance_matrix)
    shortest_edges_both_2 = estimate_shortest_edges_both(distance_matrix)

    heuristic = (
        inverse ** 0.27
        * (1.0 / (scaled + 2.4)) ** 0.17
        * (0.46 + np.maximum(shortest_edges_both, 1e-9))
        * (0.622 + np.sqrt(np.abs(saving_joining_remote) + 1e-9))
        * (0.38 + ((1.0 / (1.0 + ranks)) / (1.0 / (1.0 + ranks)).mean()))
        * (1.0 + 1.4 * np.sqrt(np.abs(shortest_edges_both_2) + 1e-9))
    )
    heuristic = heuristic * (1.0 + 4.6 * (ranks == 0))

    return heuristic
