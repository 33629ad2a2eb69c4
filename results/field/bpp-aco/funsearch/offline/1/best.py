import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    # the share of a bin that an item takes
    size = demand / capacity
    # the size of the second item
    second = np.tile(size, (len(size), 1))
    # ranks by size
    position = np.tile(np.argsort(np.argsort(-size)), (len(size), 1))

    affinity = second ** 0.66 * (np.log1p(np.exp(-position / 73.0))) ** 0.26

    return affinity
