import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    inverse = 1.0 / (distance_matrix + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)

    heuristic = (
        inverse ** 1.1
        * (1.0 + 0.76 * ((mutual < 12) + 0.2))
        * (1.0 + 1.9 * (np.exp(-distance_matrix / 0.28) / np.exp(-distance_matrix / 0.28).mean()))
        * (1.0 + 0.61 * np.exp(-distance_matrix / 0.5))
        * np.exp(-relative * 5.5)
        * (1.0 + 1.6 * np.sqrt(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)))
    )
    heuristic = np.maximum(heuristic, heuristic.T)

    return heuristic / heuristic.max()
