import numpy as np


def get_median_distance_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the median distance to near nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.3)
    median = np.median(between, axis=1)
    return median


def compute_mean_nearest_distances(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Compute the mean of the nearest distances; returns one number."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    return float(here[:12].mean())


def get_distance_from_current(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance from the current node; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    near = unvisited_nodes[:13]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.0)
    spread = between.std(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    return np.sqrt(here) * left - 0.087 * spread


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the distance back to the destination and the mean distance to the unvisited nodes, helped by get_median_distance_near, compute_mean_nearest_distances and get_distance_from_current, where the rule gives the most isolated of the near nodes a bonus, with a rule of its own for the last few nodes."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    mean_nearest_distances = compute_mean_nearest_distances(current_node, unvisited_nodes, distance_matrix)
    distance_back_destination = get_median_distance_near(current_node, unvisited_nodes, distance_matrix)
    unit_2 = steps[:3].mean() + 1e-9
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 16, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    distance_from_current = get_distance_from_current(current_node, unvisited_nodes, distance_matrix)

    score = (
        here
        - 0.699 * (mean_nearest_distances * home)
        - 0.18 * (distance_back_destination - distance_back_destination.min())
        + np.sqrt(here_2)
        + np.minimum(here_2, mean_nearest_distances) / 10.5
        + np.sqrt(here_2) * left
        - 1.0 * (distance_from_current * (1.0 - left))
    )
    if left > 0.75:
        score = score - 0.499 * remote
    if left > 0.406:
        score = score - 0.296 * remote

    if len(unvisited_nodes) <= 5:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
