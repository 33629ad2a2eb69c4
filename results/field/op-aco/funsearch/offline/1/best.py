import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    """Rate every step for the ants.

    Args:
        prize: prizes of the nodes, float64 array of shape (n,).
        distance: distances between all nodes, float64 array of shape (n, n), with 1e9 on the
            diagonal.
        maxlen: the length that a way may have, a float.

    Returns:
        Heuristic values, array of shape (n, n) with finite entries: entry [i, j] rates going
        from node i to node j, and larger means more attractive.
    """
    return prize[None, :] / distance
