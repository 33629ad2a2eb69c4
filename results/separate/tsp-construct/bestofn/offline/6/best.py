import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, the distance to the nearest other unvisited node, the distance to the centre of the unvisited nodes and the length of the next two steps, where the rule gives isolated nodes a bonus, with a rule of its own for the last few nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))

    score = here - np.sqrt(ahead) / 3.9 - 0.39 * (pull ** 1.77) + 0.127 * (popular / popular.max())
    score = np.where(nearest > 1.4, score - 0.27, score)

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
