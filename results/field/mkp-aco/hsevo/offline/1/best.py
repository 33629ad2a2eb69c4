import numpy as np


def heuristics(prize: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Rate items by a combination of a power of the prize over all weights, the prize over the largest weight and the prize over all weights, as it is."""
    # the sum of an item's weights
    burden = weight.sum(axis=1)
    # the prize over all weights
    ratio = prize / (burden + 1e-6)
    # the largest weight of an item
    heaviest = weight.max(axis=1)

    rating = (
        ratio ** 0.71
        * ((prize / (heaviest + 1e-6)) / (prize / (heaviest + 1e-6)).mean()) ** 0.24
    )

    return rating
