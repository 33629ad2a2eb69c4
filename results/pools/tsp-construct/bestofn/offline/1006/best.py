import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    near = unvisited_nodes[:17]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.57)
    sample = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor]

    score = (
        np.log(here + 0.26)
        - 0.0653 * (pull ** 2.46)
        - remote / 2.2
        + 0.33 * np.exp(-pull / 0.46)
        - 0.072 * (reach * left)
        - 0.0066 * ahead
        - np.log1p(ahead) / 12.0
    )
    if left > 0.038:
        score = score - 0.46 * home
    score = np.where(nearest > 1.2, score - 0.23, score)

    best = int(np.argmin(score))
    return int(unvisited_nodes[best])
