import numpy as np


def heuristics(distance_matrix: np.ndarray, coordinates: np.ndarray, demands: np.ndarray, capacity: int) -> np.ndarray:
    """Rate every step for the ants.

    Args:
        distance_matrix: distances between all nodes, float64 array of shape (n, n), with ones
            on the diagonal; node 0 is the depot.
        coordinates: places of the nodes in the unit square, float64 array of shape (n, 2).
        demands: demands of the nodes, float64 array of shape (n,), 0 for the depot.
        capacity: what a vehicle carries, an int.

    Returns:
        Heuristic values, array of shape (n, n) with finite entries: entry [i, j] rates going
        from node i to node j, and larger means more attractive.
    """
    return 1.0 / distance_matrix
