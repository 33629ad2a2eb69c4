import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    remote = distance_matrix.mean(axis=1)

    heuristic = (
        np.exp(-distance_matrix / 0.1)
        * 1.0
        / (scaled + 0.17)
        * (1.0 + 1.5 * np.exp(-distance_matrix / 0.097))
        * (1.0 + 1.6 * (remote[:, None] + remote[None, :]))
    )

    return np.maximum(np.nan_to_num(heuristic), 1e-9)
