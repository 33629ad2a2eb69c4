import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the shortest edge of a city
    shortest = distance_matrix.min(axis=1)
    # the distance of each city to one of its nearest neighbours
    radius = np.sort(distance_matrix, axis=1)[:, 10][:, None]
    local = np.sort(distance_matrix, axis=1)[:, :11].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)

    heuristic = (
        ((((shortest[:, None] + shortest[None, :]) / (2.31 * distance_matrix + 1e-6)) ** 0.593) / (((shortest[:, None] + shortest[None, :]) / (2.31 * distance_matrix + 1e-6)) ** 0.593).mean())
        * (1.0 + 1.7 * (saving / saving.mean()))
        * (0.362 + (1.0 / (scaled + 3.8)))
        * ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean()) ** 0.69
        * (0.56 + (0.97 + np.exp(-relative * 0.64)))
        * (1.0 + 2.01 * np.log1p(np.exp(-relative * 2.2)))
        * (1.4 + inverse)
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.45
    )
    heuristic[distance_matrix > radius] *= 0.3
    heuristic = 0.374 * (heuristic + heuristic.T)

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
