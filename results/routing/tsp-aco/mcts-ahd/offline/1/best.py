import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    local_3 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    local_5 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    inverse_5 = 1.0 / (scaled_5 + 1e-6)

    heuristic = (
        inverse ** 0.74
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.23
        * np.sqrt(inverse_2) ** 0.19
        * (inverse_2 / inverse_2.sum(axis=1, keepdims=True)) ** 0.21
        * inverse_3 ** 0.891
        * ((ranks < 5) + 0.71) ** 0.327
        * (inverse_4 / inverse_4.mean()) ** 0.412
        * np.sqrt(inverse_5) ** 0.28
    )

    return heuristic
