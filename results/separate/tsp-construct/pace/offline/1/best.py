import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.6)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = here + 0.077 * (farthest ** 1.63) - 0.6 * np.log1p(crowd) - 1.2 * (remote * (1.0 - left))

    return int(unvisited_nodes[np.argmin(score[:8])])
