import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 20, 0)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = np.log(here + 1.3998854010347321) - 0.05524531660962529 * home

    appeal = np.exp(-score / 1.0888466274785473)
    appeal = appeal * (1.0 + 0.29498360571074345 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
