import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    # the prize at the end over the length
    gain = prize[None, :] / (distance + 1e-6)
    # which nodes are nearest
    order = np.argsort(np.argsort(distance, axis=1), axis=1)

    attraction = (
        gain ** 0.74
        * (0.38 + gain) ** 0.244
        * np.sqrt(gain) ** 0.55
        * (0.88 + np.sqrt((1.0 / (1.0 + order))))
    )

    return attraction
