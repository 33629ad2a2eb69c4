import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 6][:, None]
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        1.0
        * ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()) ** 0.73
        * (0.463 + (1.0 + 0.598 * np.sin(0.99 * scaled))) ** 0.25
        * (1.0 / (1.0 + ranks)) ** 0.176
        * (inverse_2 / inverse_2.sum(axis=0, keepdims=True)) ** 0.453
        * ((inverse_2 / inverse_2.sum(axis=0, keepdims=True)) / (inverse_2 / inverse_2.sum(axis=0, keepdims=True)).mean()) ** 0.735
        * saving ** 0.55
        * (saving / saving.mean()) ** 0.093
    )
    heuristic = np.where(ranks < 13, heuristic, heuristic * 0.376)
    heuristic[distance_matrix > radius] *= 0.42

    return heuristic
