import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    """Rate options by a combination of a simple rule."""
    return np.maximum((np.sqrt(np.abs((item - bins_remain_cap))) * np.sign((item - bins_remain_cap))), -0.29 * np.abs((np.sqrt(np.abs((item - bins_remain_cap))) * np.sign((item - bins_remain_cap)))).mean())
