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
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.637466670525124)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:6].mean(axis=1)
    return crowd


def rate_much_lost_when(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how much is lost when a node is left behind; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.54262707368719)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    return 0.11514880329925944 * stranded


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    mean_distance_nearest = compute_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    mean_distance_nodes = rate_mean_distance_nodes(unvisited_nodes, distance_matrix)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    unit_2 = steps[:9].mean() + 1e-9
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 17, 0)
    near_2 = unvisited_nodes[:6]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 4.083430487350181)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    stranded_2 = np.maximum(nearest_2 - here_2, 0.0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.1393321201693087)
    distance_from_current = rate_much_lost_when(current_node, unvisited_nodes, distance_matrix)
    # the nearest few nodes
    near = unvisited_nodes[:8]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.653756367700982)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here
        + 0.08150174611260003 * stranded_2
        - detour / 4.947270850923802
        - 0.7111998907926318 * (mean_distance_nearest - mean_distance_nearest.min())
        + 0.24587328040539388 * (distance_from_current * left)
        + 0.4557399668698604 * np.minimum(nearest, 0.727265910279976)
        + (stranded ** 2) / 19.020523041309097
        - 0.593168955929594 * (mean_distance_nodes * (1.0 - left))
    )

    return int(unvisited_nodes[np.argmin(score)])
