import numpy as np


def rate_many_nodes_have(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how many nodes have a candidate as their nearest neighbour; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.7)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    return (popular / popular.max()) ** 2


def get_distance_from_current(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance from the current node; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    return here ** 0.9 - 0.126 * pull


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 9 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:9]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.5)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    # the mean of the shortest steps
    unit_2 = steps[:6].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 7.78)
    # a kernel density of unvisited nodes
    warmth = np.exp(-between_2 / 1.2).mean(axis=1)
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    many_nodes_have = rate_many_nodes_have(current_node, unvisited_nodes, distance_matrix)
    length_next_steps = get_distance_from_current(current_node, unvisited_nodes, distance_matrix)

    score = (
        here ** 1.3
        - 0.13 * pull
        - 0.097 * (ahead * (1.0 - left))
        + 0.06 * (warmth * left)
        - 0.868 * (farthest ** 1.5)
        + 0.184 * (many_nodes_have - many_nodes_have.min())
        - (length_next_steps * (1.0 - left)) / 3.33
    )

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
