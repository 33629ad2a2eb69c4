import numpy as np


def heuristics(distance_matrix, coordinates, demands, capacity):
    """Prefer short steps more strongly: the inverse square of the length."""
    return np.reciprocal(np.square(distance_matrix))
