import numpy as np


def compute_list_mutual_neighbours(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a list of mutual neighbours combined with the saving of joining two remote cities; returns a matrix with one value per edge."""
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    mutual = np.maximum(ranks, ranks.T)
    remote = distance_matrix.mean(axis=1)
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    return ((mutual < 12) + 0.15) * saving


def score_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale combined with an exponential of the distance; returns a matrix with one value per edge."""
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return np.log1p((1.0 / (scaled + 0.15))) + np.exp(-distance_matrix / 0.25)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    # neighbour ranks
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    # mutual neighbour ranks
    mutual = np.maximum(ranks, ranks.T)
    gabriel_test_over = score_distance_units_local(distance_matrix)
    # inverse distance
    inverse = 1.0 / (distance_matrix + 1e-6)
    # the mean distance of a city
    remote = distance_matrix.mean(axis=1)
    # the saving of joining two remote cities
    saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
    list_mutual_neighbours = compute_list_mutual_neighbours(distance_matrix)

    heuristic = (
        1.0
        * ((mutual < 10) + 0.19) ** 0.52
        * (((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6) / ((1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6).mean()) ** 0.851
        * (1.0 + np.abs(gabriel_test_over)) ** 0.368
        * (inverse / inverse.sum(axis=0, keepdims=True)) ** 1.5
        * (1.0 + 0.865 * saving)
        / (scaled + 0.122)
        * np.maximum(list_mutual_neighbours, 1e-9)
    )
    heuristic = 0.92 * (heuristic + heuristic.T)
    heuristic = 0.456 * (heuristic + heuristic.T)

    return heuristic / heuristic.max()
