import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    place = np.arange(len(unvisited_nodes))
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    near = unvisited_nodes[:11]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.25)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    sample = unvisited_nodes[::len(unvisited_nodes) // 25 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    warmth = np.exp(-between / 2.2).mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:8].mean(axis=1)

    score = (
        ((place * 0.47) * (1.0 - left)) * left
        + 0.18 * ((popular / popular.max()) ** 0.686)
        + 0.1 * np.minimum((reach - home), 0.843)
        - 0.47 * (farthest ** 2.5)
        - np.minimum((0.22 * (warmth * left)), 1.8)
        - 0.65 * (median / (1.0 + here))
        - 0.0751 * np.exp(-crowd / 0.621)
    )

    if len(unvisited_nodes) <= 2:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
