import numpy as np


def heuristics(demand: np.ndarray, capacity: int) -> np.ndarray:
    # the share of a bin that an item takes
    size = demand / capacity
    # the size of both items
    both = size[:, None] + size[None, :]
    # the room that both items leave
    gap = 1.0 - both
    # the size of the second item
    second = np.tile(size, (len(size), 1))
    # the difference of sizes
    apart = np.abs(size[:, None] - size[None, :])
    # ranks by size
    position = np.tile(np.argsort(np.argsort(-size)), (len(size), 1))

    affinity = (
        np.exp(-np.abs(gap) * 13.1)
        * ((apart + 0.52)) ** 0.38
        * (np.sqrt(second)) ** 0.4
        * (np.sqrt(np.exp(-position / 41.0))) ** 0.22
    )
    affinity = np.where(np.abs(gap) < 0.04, affinity * 7.79, affinity)
    affinity = affinity / affinity.max()
    affinity = np.where(np.abs(gap) < 0.035, affinity * 6.6, affinity)

    return affinity
