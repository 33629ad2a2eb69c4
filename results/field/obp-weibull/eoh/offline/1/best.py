import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    return np.maximum((item - bins_remain_cap), -0.0513 * np.abs((item - bins_remain_cap)).mean())
