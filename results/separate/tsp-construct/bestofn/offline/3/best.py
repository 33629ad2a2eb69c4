import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 18, 0)
    near = unvisited_nodes[:15]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.5)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:8].mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = (
        here ** 0.89
        - 0.138 * (crowd ** 2.5)
        - (median / (1.0 + here)) / 1.2
        - 0.47 * (farthest ** 2.3)
        + 0.24 * remote
        - 0.407 * (crowd - median)
        - 0.61 * home
        + 0.21 * np.exp(-remote / 1.7)
    )
    if left < 0.37:
        score = score + 0.095 * home
    score = np.where(here <= 1.79 * here.min(), score, score + 0.38)

    appeal = np.exp(-score / 0.542)
    appeal = appeal * (1.0 + 0.19 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
