import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    """Rank steps by a decay in the part of the limit and the prize at the end over the length, as it is."""
    gain = prize[None, :] / (distance + 1e-6)
    share = distance / maxlen

    attraction = gain ** 0.78 * np.sqrt(np.exp(-share * 18.0)) ** 0.34

    return attraction
