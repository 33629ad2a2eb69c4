import numpy as np


def select_next(to_candidates: np.ndarray, between: np.ndarray, to_start: np.ndarray, current_to_start: float, remaining: int, total: int) -> int:
    """Choose the city to go to among the candidates, the nearest unvisited cities.

    Args:
        to_candidates: float64 array of shape (k,): distances from the current city to the
            candidates, ascending; k is 10, or remaining where fewer cities are left.
        between: float64 array of shape (k, k): distances among the candidates, with zeros
            on the diagonal.
        to_start: float64 array of shape (k,): distances from the candidates to city 0.
        current_to_start: distance from the current city to city 0, a float.
        remaining: number of unvisited cities, at least 2.
        total: number of all cities.

    Returns:
        The place of a candidate, an int from 0 to k - 1.
    """
    return 0
