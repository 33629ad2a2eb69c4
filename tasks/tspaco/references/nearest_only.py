import numpy as np


def heuristics(distance_matrix):
    """Rate by inverse length the edges to the ten nearest cities, and no others."""
    ranked = distance_matrix.copy()
    np.fill_diagonal(ranked, np.inf)
    nearest = np.argsort(ranked, axis=1)[:, :10]
    rating = np.zeros_like(distance_matrix)
    values = 1.0 / np.take_along_axis(distance_matrix, nearest, axis=1)
    np.put_along_axis(rating, nearest, values, axis=1)
    return rating
