import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    """Rate pairs by a combination of closeness to a full bin, the inverse of the room that is left, the size of the second item and the size of both items, where the rule strengthens pairs that fill a bin, as it is."""
    size = demand / capacity
    both = size[:, None] + size[None, :]
    gap = 1.0 - both
    second = np.tile(size, (len(size), 1))

    affinity = (
        np.exp(-np.abs(gap) * 0.99)
        * (both) ** 3.82
        * (both) ** 1.5
        * (np.sqrt(second)) ** 1.5
        * (np.exp(second * 1.5)) ** 0.41
        * ((0.23 + (1.0 / (np.abs(gap) + 0.092)))) ** 2.8
    )
    affinity = np.where(np.abs(gap) < 0.022, affinity * 7.9, affinity)

    return affinity
