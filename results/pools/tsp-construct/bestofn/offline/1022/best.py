import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:6].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.4)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    crowd = ordered[:, 1:8].mean(axis=1)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        here
        + 0.354 * (popular / popular.max())
        - 0.117 * np.sqrt(stranded)
        - 0.83 * (crowd * (1.0 - left))
        - (nearest / (crowd + 1e-9)) / 9.77
        + np.minimum((0.0913 * ((reach - home) * (1.0 - left))), 0.56)
        + 0.12 * (np.sin(2.3 * here) ** 2)
    )

    if len(unvisited_nodes) <= 3:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
