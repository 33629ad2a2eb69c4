import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    return (item - bins_remain_cap) + 0.61 * np.abs((item - bins_remain_cap))
