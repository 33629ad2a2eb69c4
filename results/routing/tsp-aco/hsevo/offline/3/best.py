import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rank edges by a power of the inverse distance, a decay in the row's mean distance, distance in units of the local scale and inverse distance, where the rule keeps the stronger direction of each edge, sparsified row by row."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    local_2 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    local_3 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_3 = distance_matrix / np.sqrt(np.outer(local_3, local_3))
    inverse_3 = 1.0 / (scaled_3 + 1e-6)

    heuristic = (
        inverse ** 0.938
        * (1.4422914563574576 + (1.0 / (1.0 + ranks))) ** 0.155
        * (1.0 + 1.26 * ((mutual < 14) + 1.2564217480142221))
        * (inverse_3 / inverse_3.sum(axis=1, keepdims=True)) ** 1.0629980913990615
        * np.exp(-scaled_2 * 0.34)
        * np.exp(-relative * 2.710647128037272) ** 0.3193194779360382
        * (inverse_2 / inverse_2.sum(axis=1, keepdims=True)) ** 0.36520534009408034
    )
    heuristic = np.maximum(heuristic, heuristic.T)
    heuristic = np.where(mutual < 3, heuristic * 1.2, heuristic)
    heuristic = np.maximum(heuristic, heuristic.T)

    cut = np.sort(heuristic, axis=1)[:, -8][:, None]
    return np.where(heuristic >= cut, heuristic, heuristic * 0.42)
