import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, how many neighbours lie within a radius, a kernel density of unvisited nodes and how much is lost when a node is left behind, where the rule postpones dense regions, through an exponential appeal that favours remote nodes."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:5].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    # the extra length over the shortest step
    gap = here - here.min()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.3)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    closed = np.where(between > 0.0, between, 9.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.27, 1.19)
    warmth = np.exp(-between / 2.51).mean(axis=1)
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    density = (between < 1.5).mean(axis=1)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:10].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        gap
        + (reach - home) / 4.5
        - 0.77 * (swerve * left)
        + 0.21 * warmth
        + 0.16 * (popular / popular.max())
        - 0.15 * pull
        + 0.353 * (crowd - median)
        - 0.034 * (nearest / (crowd + 1e-9))
    )
    score = score + 0.27 * (density > density.mean())
    score = np.where(stranded > 0.17, score - 0.13, score)

    appeal = np.exp(-score / 0.86)
    appeal = appeal * (1.0 + 0.22 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
