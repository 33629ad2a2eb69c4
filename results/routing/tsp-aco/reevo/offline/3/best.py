import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local_4 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    local_5 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    inverse_5 = 1.0 / (scaled_5 + 1e-6)
    shortest = distance_matrix.min(axis=1)
    local_3 = np.sort(distance_matrix, axis=1)[:, :2].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)

    heuristic = (
        inverse ** 0.998
        * np.exp(-relative * 0.757) ** 0.212
        * inverse_4 ** 0.76
        * inverse_5 ** 0.58
        * inverse_3 ** 0.893
        * inverse_2 ** 0.85
        * (1.0 + 2.07 * ((shortest[:, None] + shortest[None, :]) / (2.36 * distance_matrix + 1e-6)))
        * np.sqrt(((1.0 / (1.0 + ranks)) ** 0.75))
    )
    heuristic = heuristic * (1.0 + 2.0 * (ranks == 0))
    heuristic = np.where(ranks < 13, heuristic, heuristic * 0.601)
    heuristic = np.where(ranks < 13, heuristic, heuristic * 0.52)

    return heuristic
