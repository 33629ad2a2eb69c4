import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    """Rate options by a combination of a simple rule."""
    return (item - bins_remain_cap) + 1.1 * np.sin(4.2 * (item - bins_remain_cap))
