import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    # the nearest few nodes
    near = unvisited_nodes[:17]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.0)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.0)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 1.25).mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        np.log(here + 0.109)
        + np.minimum((popular / popular.max()), 0.64) / 3.31
        - 0.63 * (detour / (1.0 + here))
        + np.minimum(warmth, 1.6) / 1.91
        - 0.21 * (stranded * (1.0 - left))
        - 0.624 * spread
        - 0.32 * regret
        - 0.048 * np.sqrt(reach)
    )
    score = np.where(stranded > 0.344, score - 0.231, score)

    return int(unvisited_nodes[np.argmin(score)])
