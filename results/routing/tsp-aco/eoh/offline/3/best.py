import numpy as np


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    """Score edges with a power of the inverse distance, inverse distance, an exponential of the distance and the saving of joining two remote cities, with the strongest edges capped."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)

    heuristic = (
        inverse ** 1.4
        / (relative + 0.044)
        * (1.0 + 1.8 * inverse)
        * 1.0
        * (1.0 + 1.0 * (np.exp(-distance_matrix / 0.233) / np.exp(-distance_matrix / 0.12).mean()))
        * saving
    )

    return np.clip(heuristic, 1e-9, np.quantile(heuristic, 1.0))
