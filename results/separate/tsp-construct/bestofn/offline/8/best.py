import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:5].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near = unvisited_nodes[:8]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.2)
    # how many neighbours lie within a radius
    density = (between < 11.0).mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 0.739).mean(axis=1)
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        np.sqrt(here)
        - 0.062 * pull
        + 0.0552 * (farthest / (1.0 + here))
        + 1.5 * np.exp(-home / 2.72)
        + 0.24 * np.minimum(density, 2.36)
        + 0.23 * (warmth * (1.0 - left))
        - 0.1 * reach
    )

    appeal = np.exp(-score / 0.726)
    appeal = appeal * (1.0 + 0.36 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
