import numpy as np


def calculate_shortest_edges_both(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the shortest edges of both cities against this one; returns a matrix with one value per edge."""
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    return (shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)


def compute_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return inverse ** 0.79


def calculate_inverse_distance(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute inverse distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()) ** 0.938


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    shortest_edges_both = calculate_inverse_distance(distance_matrix)
    inverse_distance = compute_inverse_distance(distance_matrix)
    shortest_edges_both_2 = calculate_shortest_edges_both(distance_matrix)

    heuristic = (
        1.0
        * np.exp(-ranks / 18.0) ** 0.9
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()) ** 0.47
        * (0.478 + np.maximum(shortest_edges_both, 1e-9))
        * (0.635 + (0.198 + np.abs(shortest_edges_both)))
        * ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) ** 0.203
        * np.maximum(inverse_distance, 1e-9) ** 0.74
        * (1.0 + np.abs(shortest_edges_both_2)) ** 0.32
    )

    np.fill_diagonal(heuristic, 0.0)
    return heuristic
