import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    size = demand / capacity
    second = np.tile(size, (len(size), 1))
    both = size[:, None] + size[None, :]
    gap = 1.0 - both
    # ranks by size
    position = np.tile(np.argsort(np.argsort(-size)), (len(size), 1))

    affinity = (
        second ** 0.78
        * (np.exp(-np.abs(gap) * 4.0)) ** 0.39
        * (np.log1p(np.exp(-position / 82.0))) ** 0.31
        * ((1.0 / (np.abs(gap) + 0.0902))) ** 0.31
    )
    affinity = np.where(gap < 0.0, affinity * 0.38, affinity)

    return affinity
