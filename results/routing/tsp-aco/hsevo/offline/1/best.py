import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Rank edges by inverse distance, each edge's share in its row, a decay over neighbour ranks and the saving of joining two remote cities, where the rule weakens edges beyond the nearest neighbours, sparsified row by row."""
    remote = distance_matrix.mean(axis=1)
    inverse = 1.0 / (distance_matrix + 1e-6)
    local = np.sort(distance_matrix, axis=1)[:, :11].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    local_2 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)

    heuristic = (
        (0.176 + ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean()))
        * np.log1p(saving)
        * np.log1p((1.0 / (scaled_2 + 0.232)))
        * (0.286 + np.exp(-ranks / 3.2))
        / inverse.sum(axis=0, keepdims=True)
        * (1.85 + (1.0 + 0.32 * np.log1p(((mutual < 4) + 0.0775))))
        / (scaled + 0.3076387867268924)
        * 1.0
    )
    heuristic = 0.886941678175664 * (heuristic + heuristic.T)
    heuristic = 0.6645095286132096 * (heuristic + heuristic.T)
    heuristic = np.where(ranks < 12, heuristic, heuristic * 0.252)

    cut = np.quantile(heuristic, 0.713, axis=1, keepdims=True)
    return np.where(heuristic >= cut, heuristic, heuristic * 0.233)
