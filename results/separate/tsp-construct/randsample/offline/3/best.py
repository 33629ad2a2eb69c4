import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.2)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:8].mean(axis=1)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        here
        - 0.15 * ((nearest / (crowd + 1e-9)) * left)
        + 0.02 * (popular / popular.max())
        - 0.096 * ((reach - home) ** 2)
        - 0.11 * np.maximum(crowd, 0.88)
    )

    return int(unvisited_nodes[np.argmin(score)])
