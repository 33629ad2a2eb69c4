import numpy as np


def priority(item: float, bins_remain_cap: np.ndarray) -> np.ndarray:
    return np.maximum(np.minimum((item - bins_remain_cap), 0.87 * np.abs((item - bins_remain_cap)).mean()), -0.21 * np.abs(np.minimum((item - bins_remain_cap), 0.87 * np.abs((item - bins_remain_cap)).mean())).mean())
