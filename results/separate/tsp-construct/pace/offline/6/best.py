import numpy as np


def calculate_distance_farthest_unvisited(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the farthest unvisited node; returns one value per unvisited node."""
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    return farthest


def get_mean_distance_nearest(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.1)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:8].mean(axis=1)
    return np.maximum(crowd, 0.51)


def score_length_next_steps(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the length of the next two steps combined with a wave of the distance; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.7)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor]
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    return ahead - 0.27 * np.sin(2.5 * here)


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    gap = here - here.min()
    mean_distance_nearest_2 = get_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    unit_2 = steps[:9].mean() + 1e-9
    near_3 = unvisited_nodes[:14]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 1.91)
    ordered = np.sort(between_3, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between_3 > 0.0, between_3, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    spread_distances_near = calculate_distance_farthest_unvisited(unvisited_nodes, distance_matrix)
    back = distance_matrix[unvisited_nodes, destination_node]
    unit_3 = steps[:11].mean() + 1e-9
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit_3, 0.0, 13.0)
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    unit_4 = steps[:3].mean() + 1e-9
    here_3 = steps / unit_4 + np.maximum(np.arange(len(steps)) - 15, 0)
    gap_3 = here_3 - here_3.min()
    distance_tour_built = score_length_next_steps(current_node, unvisited_nodes, distance_matrix)

    score = (
        gap
        - 0.945 * mean_distance_nearest_2
        - 0.0484 * np.log1p(ahead)
        - 0.9 * spread_distances_near
        + 0.53 * np.exp(-detour / 0.57)
        + 0.25 * (reach - home)
        + gap_3
        + 0.38 * distance_tour_built
    )

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
