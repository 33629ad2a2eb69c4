import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    shortest = distance_matrix.min(axis=1)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # a quantile of all distances
    threshold = np.quantile(distance_matrix, 0.13)

    heuristic = (
        np.exp(-distance_matrix / 0.065)
        * np.log1p(np.exp(-ranks / 7.2)) ** 0.21
        / (relative + 0.0185)
        * inverse ** 0.378
        * np.sqrt(((shortest[:, None] + shortest[None, :]) / (1.7 * distance_matrix + 1e-6))) ** 0.69
        * inverse
        * (1.0 + 0.37 * np.log1p(saving))
        * np.log1p((1.0 + 0.53 * np.sin(6.4 * distance_matrix))) ** 0.629
    )
    heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic[distance_matrix > threshold] *= 0.375

    np.fill_diagonal(heuristic, 0.0)
    return heuristic
