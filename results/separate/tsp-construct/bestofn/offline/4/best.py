import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 10, 0)
    # the nearest few nodes
    near = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.0)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    median = np.median(between, axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here
        - 1.0 * spread
        - ahead / 4.4
        - 0.19 * (np.sin(1.6 * here) * left)
        - 0.21 * np.maximum(median, 1.4)
        - 0.5 * (stranded * left)
    )
    score = np.where(here <= 3.4 * here.min(), score, score + 0.79)

    appeal = np.exp(-score / 1.1)
    appeal = appeal * (1.0 + 0.28 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
