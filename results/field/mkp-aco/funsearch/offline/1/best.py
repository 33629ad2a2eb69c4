import numpy as np


def heuristics(prize: np.ndarray, weight: np.ndarray) -> np.ndarray:
    # the prize against the largest
    value = prize / prize.max()
    # the sum of an item's weights
    burden = weight.sum(axis=1)
    # the prize over all weights
    ratio = prize / (burden + 1e-6)
    # the largest weight of an item
    heaviest = weight.max(axis=1)

    rating = (
        value ** 0.4
        * (0.11 + ratio) ** 0.28
        * ((prize / (heaviest + 1e-6)) / (prize / (heaviest + 1e-6)).mean()) ** 0.22
        * ratio ** 0.56
    )

    return rating
