import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    place = np.arange(len(unvisited_nodes))
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    near = unvisited_nodes[:9]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 11.9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 1.5).mean(axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:3].mean(axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(3, ordered.shape[1] - 1)] - ordered[:, 1]
    # the length of a few greedy steps ahead
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(3):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]

    score = (
        (place * 0.36) ** 1.85
        - 0.163 * np.sqrt(ahead)
        - 0.111 * np.maximum(reach, 0.4)
        + (0.87 * np.log1p(warmth)) * left
        - np.minimum((0.688 * crowd), 1.72)
        + 0.16 * np.exp(-regret / 1.8)
        - 0.065 * np.maximum(glance, 1.69)
        + 0.0402 * glance
    )

    appeal = np.exp(-score / 2.7)
    appeal = appeal * (1.0 + 0.2 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
