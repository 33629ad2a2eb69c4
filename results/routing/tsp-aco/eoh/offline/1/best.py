import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    shortest = distance_matrix.min(axis=1)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    near = np.argsort(distance_matrix, axis=1)[:, :8]
    hop = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))

    heuristic = (
        1.0
        / (scaled + 0.037)
        * (0.292 + ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6)) ** 0.228
        * np.sqrt(((shortest[:, None] + shortest[None, :]) / (0.056 * distance_matrix + 1e-6))) ** 0.469
        * saving ** 0.514
        * np.exp(-relative * 3.14) ** 0.91
        * np.sqrt((1.0 / (scaled + 0.39))) ** 0.63
        * (1.0 + 0.0786 * np.minimum(hop / (distance_matrix + 1e-6), 2.6))
    )
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)

    cut = np.quantile(heuristic, 0.194, axis=1, keepdims=True)
    return np.where(heuristic >= cut, heuristic, heuristic * 0.16)
