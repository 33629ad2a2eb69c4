import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    """Rate the bins that have room for an item.

    Args:
        item: size of the item, a NumPy float from 1 to 100 without a fraction.
        bins_remain_cap: int64 array of shape (m,), m >= 1: the room in all bins that the item
            fits into, in the order of the bins, unopened ones included.

    Returns:
        Ratings of these bins, array of shape (m,); infinities are allowed, NaN is not.
    """
    return item - bins_remain_cap
