import numpy as np


def estimate_each_edge_share(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute each edge's share in its row combined with a wave of the distance; returns a matrix with one value per edge."""
    inverse = 1.0 / (distance_matrix + 1e-6)
    return (inverse / inverse.sum(axis=1, keepdims=True)) * (1.0 + 0.35 * np.sin(6.0 * distance_matrix))


def calculate_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :8].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return (1.0 / (scaled + 0.086)) + saving


def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one
    value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :6].mean(axis=1)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # distance relative to the row's mean
    relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
    distance_units_local = calculate_distance_units_local(distance_matrix)
    inverse_distance = estimate_each_edge_share(distance_matrix)
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    local_density_value = local_density(distance_matrix)
    local_density_value = np.resize(np.nan_to_num(np.asarray(local_density_value, dtype=float), posinf=1e9), distance_matrix.shape)

    heuristic = (
        1.0
        / (relative + 0.0242)
        * np.exp(-relative * 3.59) ** 0.915
        * np.log1p(((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6))
        * np.maximum(distance_units_local, 1e-9)
        * np.sqrt(np.abs(inverse_distance) + 1e-9) ** 1.68
        * (1.0 + 0.56 * np.log1p(((mutual < 10) + 0.28)))
        * np.maximum(local_density_value, 1e-9)
    )
    heuristic = np.maximum(heuristic, heuristic.T)

    return heuristic
