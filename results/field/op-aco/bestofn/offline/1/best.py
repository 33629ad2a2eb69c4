import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    # the prize at the end over the length
    gain = prize[None, :] / (distance + 1e-6)
    # the part of the limit that a step takes
    share = distance / maxlen
    # prizes close to a node
    around = (np.exp(-share * 9.3) @ prize)

    attraction = (
        gain ** 0.617
        * gain ** 0.195
        * (0.294 + (around[None, :] / around.max() + 0.92)) ** 0.12
        * (0.82 + (1.0 / (share + 0.0429))) ** 1.4
        * ((share < 0.15) + 0.455) ** 0.93
        * np.log1p((1.0 / (share + 0.014))) ** 0.31
    )

    return attraction
