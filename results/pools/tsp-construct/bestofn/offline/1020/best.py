import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:2].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 18 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    near = unvisited_nodes[:6]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.3)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:9].mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    nearest = ordered[:, 1]
    # the median distance to near nodes
    median = np.median(between, axis=1)

    score = (
        np.log(here + 0.88)
        + np.minimum((0.24 * (reach / (1.0 + here))), 1.7)
        - 0.2 * (remote ** 1.86)
        + 0.0817 * (popular / popular.max())
        - np.minimum((0.286 * (crowd / (1.0 + here))), 0.88)
        + 0.0676 * ((reach - home) * (1.0 - left))
        + 0.65 * np.maximum((crowd - median), 1.4)
    )
    score[8:] += 0.75
    score = np.where(nearest > 2.5, score - 0.28, score)

    appeal = np.exp(-score / 0.716)
    appeal = appeal * (1.0 + 0.097 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
