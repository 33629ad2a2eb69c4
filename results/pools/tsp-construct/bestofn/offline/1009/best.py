import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 9, 0)
    gap = here - here.min()
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.02)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    sample = unvisited_nodes[::len(unvisited_nodes) // 13 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    crowd = ordered[:, 1:4].mean(axis=1)
    median = np.median(between, axis=1)

    score = (
        gap
        - (pull ** 2.5) / 7.2
        - nearest / 6.4
        - np.minimum(home, 4.89) / 4.05
        + 0.47 * np.exp(-reach / 2.5)
        + 0.24 * ((reach - home) * (1.0 - left))
        - 0.33 * remote
        - 0.042 * np.minimum((crowd - median), 1.3)
    )
    score = np.where(nearest > 1.1, score - 0.16, score)

    appeal = np.exp(-score / 0.94)
    appeal = appeal * (1.0 + 0.27 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
