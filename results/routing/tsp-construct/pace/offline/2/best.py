import numpy as np


def compute_mean_distance_nearest(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.8)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:6].mean(axis=1)
    return crowd


def neighbour_support(node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Average the closeness of the nearest unvisited nodes around one node, each counted by the
    inverse of one plus its distance in units of their mean distance."""
    links = distance_matrix[node, unvisited_nodes[:8]]
    return float(np.mean(1.0 / (1.0 + 1.5 * links / (links.mean() + 1e-9))))


def evaluate_many_nodes_have(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how many nodes have a candidate as their nearest neighbour combined with a kernel density of unvisited nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.7)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor, minlength=len(unvisited_nodes))
    warmth = np.exp(-between / 1.1).mean(axis=1)
    return (popular / popular.max()) - 0.7 * warmth


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit
    mean_distance_nearest = compute_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    unit_2 = steps[:3].mean() + 1e-9
    near = unvisited_nodes[:11]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 4.23)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor, minlength=len(unvisited_nodes))
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    neighbour_support_value = np.array([neighbour_support(node, unvisited_nodes, distance_matrix) for node in unvisited_nodes])
    distance_from_current = evaluate_many_nodes_have(current_node, unvisited_nodes, distance_matrix)

    score = (
        here ** 1.24
        + 0.112 * (np.sin(2.3 * here) * left)
        - 0.977 * np.minimum(mean_distance_nearest, 10.0)
        - 0.058 * np.log1p(pull)
        - 0.16 * np.maximum((popular / popular.max()), 0.96)
        - 0.429 * home
        - 1.35 * neighbour_support_value
        + 0.046 * distance_from_current
    )

    ties = np.round(score, 2)
    return int(unvisited_nodes[np.lexsort((home, ties))[0]])
