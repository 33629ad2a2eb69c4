import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    gain = prize[None, :] / (distance + 1e-6)
    order = np.argsort(np.argsort(distance, axis=1), axis=1)

    attraction = (
        gain ** 0.52
        * (1.0 / (1.0 + order)) ** 0.417
        * (prize[None, :] + 0.26)
        * gain ** 1.2
    )

    return attraction
