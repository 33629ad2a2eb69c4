import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:11]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.56)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    median = np.median(between, axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 19 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here * (1.0 - left)
        + 0.0738 * ((popular / popular.max()) * (1.0 - left))
        - 0.175 * np.sqrt(median)
        - 0.39 * (np.sin(1.3 * here) * (1.0 - left))
        - 0.11 * (stranded ** 2)
    )
    score = np.where(here <= 1.5 * here.min(), score, score + 0.99)
    score = np.where(stranded > 0.4, score - 0.485, score)

    appeal = np.exp(-score / 0.82)
    appeal = appeal * (1.0 + 0.11 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
