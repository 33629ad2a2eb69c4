import numpy as np


def evaluate_gabriel_test_over(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute a Gabriel test over near cities; returns a matrix with one value per edge."""
    # the nearest neighbours
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    # the squared legs of the best detour over a near city
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
    return np.minimum(circle / (distance_matrix ** 2 + 1e-6), 3.1)


def measure_clustered_cities(distance_matrix: np.ndarray) -> float:
    """Compute how clustered the cities are; returns one number."""
    shortest = distance_matrix.min(axis=1)
    return float(np.median(shortest) / shortest.mean())


def get_distance_units_local(distance_matrix: np.ndarray) -> np.ndarray:
    """Compute distance in units of the local scale; returns a matrix with one value per edge."""
    # the local scale around a city
    local = np.sort(distance_matrix, axis=1)[:, :4].mean(axis=1)
    # distance in units of the local scale
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    return 1.0 / (scaled + 0.98)


def heuristics(distance_matrix: np.ndarray) -> np.ndarray:
    local = np.sort(distance_matrix, axis=1)[:, :5].mean(axis=1)
    scaled = distance_matrix / np.sqrt(np.outer(local, local))
    ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    local_2 = np.sort(distance_matrix, axis=1)[:, :3].mean(axis=1)
    scaled_2 = distance_matrix / np.sqrt(np.outer(local_2, local_2))
    near = np.argsort(distance_matrix, axis=1)[:, :10]
    circle = np.full_like(distance_matrix, np.inf)
    for c in range(near.shape[1]):
        via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
        circle = np.minimum(circle, via ** 1.33 + distance_matrix[near[:, c]] ** 2.6)
    gabriel_test_over = evaluate_gabriel_test_over(distance_matrix)
    closeness_against_longest = get_distance_units_local(distance_matrix)
    clustered_cities = measure_clustered_cities(distance_matrix)
    inverse = 1.0 / (scaled + 1e-6)

    heuristic = (
        np.exp(-scaled * 0.25)
        * np.exp(-scaled_2 * 0.709)
        * np.sqrt(np.minimum(circle / (distance_matrix ** 2.7 + 1e-6), 2.4)) ** 0.472
        * np.maximum(gabriel_test_over, 1e-9) ** 0.146
        * np.sqrt(np.abs(closeness_against_longest) + 1e-9) ** 0.309
        * (0.939 + (1.0 / (scaled + clustered_cities)))
        * (inverse / inverse.sum(axis=1, keepdims=True)) ** 0.959
        * np.sqrt(np.exp(-ranks / 23.4)) ** 0.035
    )

    return heuristic
