import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 22, 0)
    near = unvisited_nodes[:17]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.5)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:8].mean(axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # the median distance to near nodes
    median = np.median(between, axis=1)
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(3):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0

    score = (
        here
        - 0.207 * crowd
        - 1.0 * np.sqrt(stranded)
        - 0.183 * (home * (1.0 - left))
        - np.maximum(reach, 0.75) / 2.9
        - 0.268 * median
        - 0.17 * np.exp(-glance / 2.0)
    )

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
