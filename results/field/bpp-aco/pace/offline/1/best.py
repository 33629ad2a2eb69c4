import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    size = demand / capacity
    second = np.tile(size, (len(size), 1))
    both = size[:, None] + size[None, :]
    gap = 1.0 - both

    affinity = (
        second ** 0.34
        * (np.exp(-np.abs(gap) * 5.29)) ** 0.2
        * (np.exp(-np.abs(gap) * 15.0)) ** 1.6
    )

    return affinity
