import numpy as np


def heuristics(prize: np.ndarray, distance: np.ndarray, maxlen: float) -> np.ndarray:
    """Rank steps by prizes against the part of the limit, a short way home from the end, the order of nodes by distance and the prize at the end over the length, as it is."""
    gain = prize[None, :] / (distance + 1e-6)
    home = distance[:, 0] * (np.arange(len(prize)) > 0)
    order = np.argsort(np.argsort(distance, axis=1), axis=1)
    share = distance / maxlen
    around = (np.exp(-share * 25.0) @ prize)
    around_2 = (np.exp(-share * 10.0) @ prize)

    attraction = (
        gain ** 0.58
        * (0.23 + np.exp(-home[None, :] / maxlen * 7.5)) ** 0.134
        * (1.0 / (1.0 + order)) ** 0.32
        * np.log1p((around[None, :] / around.max() + 0.97)) ** 0.13
        * np.log1p(gain) ** 0.22
        * np.sqrt((around_2[None, :] / around_2.max() + 0.99)) ** 0.29
        * (prize[None, :] + 0.47)
    )

    return attraction
