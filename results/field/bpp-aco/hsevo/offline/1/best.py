import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    # the share of a bin that an item takes
    size = demand / capacity
    # ranks by size
    position = np.tile(np.argsort(np.argsort(-size)), (len(size), 1))
    # the size of both items
    both = size[:, None] + size[None, :]
    # the room that both items leave
    gap = 1.0 - both

    affinity = 1.0 / (1.0 + position) ** 0.14 * ((0.46 + ((gap >= 0.0) + 0.16))) ** 0.17
    affinity = np.where(np.abs(gap) < 0.048, affinity * 7.9, affinity)

    return affinity
