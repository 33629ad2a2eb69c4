import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (distance_matrix + 1e-6)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))

    heuristic = (
        1.0
        / (scaled + 0.57)
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean())
        * np.exp(-relative * 1.7)
        * (1.0 + 13.8 * ((ranks < 11) + 0.34))
        * (((mutual < 12) + 0.232) / ((mutual < 20) + 0.307).mean()) ** 0.918
        / (scaled_2 + 0.32)
        * (0.814 + np.exp(-distance_matrix / 0.128))
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
