import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, how many nodes have a candidate as their nearest neighbour, the median distance to near nodes and the detour on the way to the destination, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the nearest few nodes
    near = unvisited_nodes[:16]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.3)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor, minlength=len(unvisited_nodes))
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.8)
    # the median distance to near nodes
    median = np.median(between, axis=1)

    score = (
        np.sqrt(here)
        + 0.088 * ((popular / popular.max()) ** 2)
        - 0.11 * np.maximum(detour, 0.91)
        - 0.11 * np.exp(-median / 1.8)
        - 0.13 * np.sqrt(median)
    )

    return int(unvisited_nodes[np.argmin(score)])
