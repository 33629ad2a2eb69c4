import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    threshold = np.quantile(distance_matrix, 0.36)
    inverse = 1.0 / (distance_matrix + 1e-6)

    heuristic = (
        1.0
        / (scaled + 0.32)
        * ((1.0 / (scaled + 0.11)) / (1.0 / (scaled + 0.11)).mean())
        * np.log1p(np.exp(-ranks / 10.0))
        * np.exp(-distance_matrix / 0.45) ** 0.61
        * (1.3 + np.log1p(((distance_matrix <= threshold) + 0.2)))
        * (1.0 + 1.5 * (inverse / inverse.sum(axis=1, keepdims=True)))
    )

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
