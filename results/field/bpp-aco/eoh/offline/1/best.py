import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    # the share of a bin that an item takes
    size = demand / capacity
    # ranks by size
    position = np.tile(np.argsort(np.argsort(-size)), (len(size), 1))
    # the size of the second item
    second = np.tile(size, (len(size), 1))

    affinity = (
        1.0
        / (1.0 + position) ** 0.3
        * (np.sqrt(np.exp(second * 1.9))) ** 0.24
        * (np.log1p(np.exp(-position / 61.0))) ** 0.34
    )

    return affinity
