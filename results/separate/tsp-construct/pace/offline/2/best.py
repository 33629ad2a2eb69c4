import numpy as np


def rate_mean_distance_nodes(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to all nodes of the instance; returns one value per unvisited node."""
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    return typical


def compute_mean_distance_nearest(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.8)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:6].mean(axis=1)
    return crowd


def rate_much_lost_when(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how much is lost when a node is left behind; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.2)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    return 0.11 * stranded


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    regret_of_waiting_value = rate_much_lost_when(current_node, unvisited_nodes, distance_matrix)
    mean_distance_nearest = compute_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    mean_distance_nodes = rate_mean_distance_nodes(unvisited_nodes, distance_matrix)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    unit_2 = steps[:3].mean() + 1e-9
    near_2 = unvisited_nodes[:9]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 4.6)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    crowd = ordered_2[:, 1:6].mean(axis=1)
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 16, 0)
    here_3 = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    near_3 = unvisited_nodes[:12]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit, 6.85)
    ordered_3 = np.sort(between_3, axis=1)
    nearest_3 = ordered_3[:, 1]
    stranded_2 = np.maximum(nearest_3 - here_3, 0.0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.3)
    closed = np.where(between > 0.0, between, 9.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.0, 2.22)

    score = (
        here
        + 0.0434 * regret_of_waiting_value
        - 0.98 * (mean_distance_nearest - mean_distance_nearest.min())
        - 0.396 * (mean_distance_nodes * (1.0 - left))
        - 0.133 * (nearest_2 / (crowd + 1e-9))
        + here_2 ** 0.55
        + 0.086 * stranded_2
        + 0.233 * np.minimum(swerve, 1.5)
    )

    return int(unvisited_nodes[np.argmin(score)])
