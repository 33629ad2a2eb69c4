import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 7 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.16)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 1.66).mean(axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        np.sqrt(here)
        - 0.0822 * (remote * left)
        - 0.44 * np.sin(0.85 * here)
        - 0.071 * np.maximum(ahead, 0.927)
        + 0.044 * (reach - home)
        + (warmth ** 2) / 4.9
    )

    appeal = np.exp(-score / 0.61)
    appeal = appeal * (1.0 + 0.14 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
