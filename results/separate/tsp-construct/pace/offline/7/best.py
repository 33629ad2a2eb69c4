import numpy as np


def boundary_score(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Tell nodes on the rim of the unvisited region from inner ones by comparing far and near
    quantiles; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    far = np.quantile(links, 0.93, axis=1)
    close = np.quantile(links, 0.39, axis=1)
    return (far - close) / (far + 1e-9)


def calculate_distance_from_current(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance from the current node; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.3)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    return here + 0.072 * (popular / popular.max())


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the mean distance to all nodes of the instance and the distance to the tour built so far, helped by boundary_score and calculate_distance_from_current, taking the smallest score."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.4)
    boundary_score_value = boundary_score(unvisited_nodes, distance_matrix)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    distance_from_current = calculate_distance_from_current(current_node, unvisited_nodes, distance_matrix)
    unit_2 = steps[:8].mean() + 1e-9
    near_2 = unvisited_nodes[:15]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 1.9)
    closed_2 = np.where(between_2 > 0.0, between_2, 9.0)
    successor_2 = closed_2.argmin(axis=1)
    popular_2 = np.bincount(successor_2[: len(near_2)], minlength=len(unvisited_nodes))
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 19, 0)

    score = (
        here
        - 0.11 * trail
        + 0.046 * (boundary_score_value * (1.0 - left))
        - 1.8 * np.minimum(typical, 1.9)
        - distance_from_current / 5.5
        + 0.14 * (popular_2 / popular_2.max())
        + 0.452 * np.sin(0.77 * here_2)
        + 0.0438 * (distance_from_current * (1.0 - left))
    )

    return int(unvisited_nodes[np.argmin(score)])
