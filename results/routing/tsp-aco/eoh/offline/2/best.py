import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    inverse = 1.0 / (distance_matrix + 1e-6)
    threshold = np.quantile(distance_matrix, 0.225)

    heuristic = (
        np.exp(-distance_matrix / 0.45)
        * saving
        * (0.406 + (0.865 + inverse))
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True)))
        * (1.0 + 1.0 * np.log1p(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)))
        * 1.0
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.32
        * (1.0 + 1.68 * np.log1p((inverse / inverse.sum(axis=1, keepdims=True))))
    )
    heuristic[distance_matrix > threshold] *= 0.46

    return heuristic
