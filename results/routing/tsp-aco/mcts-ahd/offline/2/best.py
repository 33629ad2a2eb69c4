import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    local_2 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    local_4 = np.sort(distance_matrix, axis=1)[:, :9].mean(axis=1)
    scaled_4 = distance_matrix / np.sqrt(np.outer(local_4, local_4))
    inverse_4 = 1.0 / (scaled_4 + 1e-6)
    local_3 = np.sort(distance_matrix, axis=1)[:, :10].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)
    remote = distance_matrix.mean(axis=1)
    # the local scale around a city
    local_5 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    # distance in units of the local scale
    scaled_5 = distance_matrix / np.sqrt(np.outer(local_5, local_5))
    # inverse distance
    inverse_5 = 1.0 / (scaled_5 + 1e-6)
    local_6 = np.sort(distance_matrix, axis=1)[:, :7].mean(axis=1)
    scaled_6 = distance_matrix / np.sqrt(np.outer(local_6, local_6))
    inverse_6 = 1.0 / (scaled_6 + 1e-6)

    heuristic = (
        inverse_2 ** 0.24
        * np.log1p((inverse / inverse.sum(axis=0, keepdims=True))) ** 0.718
        * np.log1p((inverse_4 / inverse_4.sum(axis=1, keepdims=True))) ** 0.55
        * inverse_3 ** 0.972
        * (remote[:, None] + remote[None, :]) ** 0.22
        * np.exp(-ranks / 9.7) ** 0.885
        * (((inverse_5 / inverse_5.sum(axis=0, keepdims=True)) ** 0.28) / ((inverse_5 / inverse_5.sum(axis=0, keepdims=True)) ** 0.28).mean())
        * np.log1p((inverse_6 / inverse_6.sum(axis=1, keepdims=True))) ** 0.29
    )
    heuristic = np.where(mutual < 6, heuristic * 1.09, heuristic)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    return heuristic
