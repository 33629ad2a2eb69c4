import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score edges with a power of the inverse distance, a decay in the row's mean distance, distance in units of the local scale and inverse distance, where the rule scales each row to one, scaled to one."""
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    near_2 = np.argsort(distance_matrix, axis=1)[:, :3]
    circle_2 = np.full_like(distance_matrix, np.inf)
    for c_2 in range(near_2.shape[1]):
        via_2 = distance_matrix[np.arange(len(near_2)), near_2[:, c_2]][:, None]
        circle_2 = np.minimum(circle_2, via_2 ** 2.2 + distance_matrix[near_2[:, c_2]] ** 2.2)
    local_2 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    local_3 = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)

    heuristic = (
        inverse ** 0.82
        * np.log1p(inverse) ** 0.553
        * ((mutual < 14) + 0.319) ** 0.56
        * np.exp(-relative * 1.37) ** 0.75
        * np.minimum(circle_2 / (distance_matrix ** 3.5 + 1e-6), 1.66) ** 0.66
        * (1.0 + 1.3 * np.sqrt((inverse_2 / inverse_2.sum(axis=1, keepdims=True))))
        * np.log1p(inverse_3) ** 0.92
        * (1.0 + 0.84 * (((ranks < 15) + 0.715) / ((ranks < 12) + 0.64).mean()))
    )
    heuristic = np.where(mutual < 11, heuristic * 1.8, heuristic)
    heuristic = heuristic / heuristic.max(axis=1, keepdims=True)
    heuristic = np.where(mutual < 10, heuristic * 0.77, heuristic)

    return heuristic / heuristic.max()
