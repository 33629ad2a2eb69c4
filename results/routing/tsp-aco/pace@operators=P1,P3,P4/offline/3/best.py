import numpy as np


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    inverse = 1.0 / (scaled + 1e-6)
    return ((inverse / inverse.sum(axis=1, keepdims=True)) / (inverse / inverse.sum(axis=1, keepdims=True)).mean())


def measure_distance_relative_mean(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance relative to the row's mean; returns a matrix with one value per edge."""
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return relative ** -0.95 * (0.98 + saving) ** 0.171


def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one
    value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :4].mean(axis=1) / ordered.mean()


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :6].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    # inverse distance
    inverse = 1.0 / (scaled + 1e-6)
    radius = np.sort(distance_matrix, axis=1)[:, 12][:, None]
    local_2 = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    inverse_2 = 1.0 / (scaled_2 + 1e-6)
    distance_relative_mean = measure_distance_relative_mean(distance_matrix)
    each_edge_share = estimate_each_edge_share(distance_matrix)
    local_density_value = local_density(distance_matrix)
    local_density_value = np.resize(np.nan_to_num(np.asarray(local_density_value, dtype=float), posinf=1e9), distance_matrix.shape)

    heuristic = (
        (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.132
        * inverse_2 ** 0.923
        * np.log1p(saving) ** 0.891
        * (0.258 + np.abs(distance_relative_mean)) ** 0.524
        * (0.65 + saving) ** 0.16
        * (0.591 + (0.8 + np.abs(each_edge_share)))
        * (0.583 + ((inverse / inverse.sum(axis=0, keepdims=True)) / (inverse / inverse.sum(axis=0, keepdims=True)).mean()))
        * np.sqrt(np.abs(local_density_value) + 1e-9) ** 0.35
    )
    heuristic[distance_matrix > radius] *= 0.57
    heuristic[distance_matrix > radius] *= 0.43
    heuristic[distance_matrix > radius] *= 0.891

    return heuristic
