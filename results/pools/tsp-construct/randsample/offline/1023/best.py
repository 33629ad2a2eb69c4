import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, the length of the next two steps, how much is lost when a node is left behind and the detour on the way to the destination, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 5.0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.3)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 0.72).mean(axis=1)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor]

    score = (
        here
        - 0.13 * (detour ** 1.6)
        - 0.14 * (stranded * left)
        + 0.083 * np.exp(-warmth / 1.2)
        - 0.068 * ahead
    )

    return int(unvisited_nodes[np.argmin(score)])
