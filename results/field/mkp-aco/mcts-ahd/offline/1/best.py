import numpy as np


def heuristics(prize: np.ndarray, weight: np.ndarray) -> np.ndarray:
    # the prize against the largest
    value = prize / prize.max()
    # how short each constraint is
    scarcity = weight.sum(axis=0)
    # an item's weights by how short constraints are
    priced = weight @ (scarcity / scarcity.sum())
    burden = weight.sum(axis=1)
    ratio = prize / (burden + 1e-6)
    places = np.argsort(np.argsort(-ratio))
    # the largest weight of an item
    heaviest = weight.max(axis=1)

    rating = (
        value ** 0.29
        * ((prize / (priced + 1e-6)) / (prize / (priced + 1e-6)).mean()) ** 0.2
        * (value / value.mean()) ** 0.36
        * np.exp(-places / 11.0) ** 0.1
        * np.log1p((prize / (heaviest + 1e-6))) ** 0.2
    )

    return rating
