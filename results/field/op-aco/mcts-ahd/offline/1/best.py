import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    share = distance / maxlen
    # the prize at the end over the length
    gain = prize[None, :] / (distance + 1e-6)
    # which nodes are nearest
    order = np.argsort(np.argsort(distance, axis=1), axis=1)

    attraction = (
        (prize[None, :] + 0.11)
        / (share + 0.0787)
        * (0.37 + (prize[None, :] ** 0.63 + 1e-6)) ** 0.313
        * np.log1p(gain) ** 0.2
        * np.sqrt((1.0 / (1.0 + order))) ** 0.15
        * np.sqrt((1.0 / (share + 0.019))) ** 0.28
        * np.exp(-share * 15.0) ** 0.22
        * (1.0 / (share + 0.028)) ** 0.38
    )
    attraction = np.where(order < 8, attraction, attraction * 0.36)

    return attraction
