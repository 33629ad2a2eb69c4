import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.0)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.sqrt(here) - 0.13 * (median ** 1.4)

    appeal = np.exp(-score / 1.1)
    appeal = appeal * (1.0 + 0.13 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
