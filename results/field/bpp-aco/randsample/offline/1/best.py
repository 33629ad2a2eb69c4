import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    """Rank pairs by closeness to a full bin, a sharp closeness to a full bin, the inverse of the room that is left and the size of both items, where the rule strengthens pairs that fill a bin, as it is."""
    size = demand / capacity
    both = size[:, None] + size[None, :]
    gap = 1.0 - both

    affinity = np.exp(-np.abs(gap) * 1.5) * ((0.62 + (1.0 / (np.abs(gap) + 0.17)))) ** 0.11
    affinity = np.where(np.abs(gap) < 0.03, affinity * 7.8, affinity)

    return affinity
