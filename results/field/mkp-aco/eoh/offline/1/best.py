import numpy as np


def heuristics(prize: np.ndarray, weight: np.ndarray) -> np.ndarray:
    burden = weight.sum(axis=1)
    ratio = prize / (burden + 1e-6)
    value = prize / prize.max()
    heaviest = weight.max(axis=1)
    # how short each constraint is
    scarcity = weight.sum(axis=0)
    # an item's weights by how short constraints are
    priced = weight @ (scarcity / scarcity.sum())

    rating = (
        ratio ** 0.76
        * (0.1 + (value ** 0.24))
        * (1.0 / (heaviest + 0.031)) ** 0.846
        * (0.8 + np.log1p((1.0 / (priced + 0.055))))
    )

    return rating
