import numpy as np


def heuristics(prize: np.ndarray, weight: np.ndarray) -> np.ndarray:
    burden = weight.sum(axis=1)
    ratio = prize / (burden + 1e-6)
    # the largest weight of an item
    heaviest = weight.max(axis=1)

    rating = (
        ratio ** 0.4
        * (0.75 + (prize / (heaviest + 1e-6))) ** 0.38
        * np.sqrt((prize / (heaviest + 1e-6))) ** 1.3
    )

    return rating
