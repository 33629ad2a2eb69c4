import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, how many neighbours lie within a radius, how much is lost when a node is left behind and the length of a few greedy steps ahead, where the rule postpones dense regions, taking the smallest score."""
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    # how many neighbours lie within a radius
    density = (between < 0.47).mean(axis=1)
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    home = distance_matrix[unvisited_nodes, destination_node]
    ordered = np.sort(between_2, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    # the distances from unvisited nodes to the nearest few
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:9])]
    median = np.median(between_3, axis=1)
    # the distances from unvisited nodes to the nearest few
    between_4 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    # how many neighbours lie within a radius
    density_2 = (between_4 < 0.287).mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the length of a few greedy steps ahead
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    spread = between.std(axis=1)

    score = (
        here ** 0.775
        - 0.99 * home
        - 0.451 * np.log1p(median)
        + 0.717 * (density_2 * here)
        - 0.0545 * (np.sin(5.3 * here) * (1.0 - left))
        - np.minimum(glance, 0.3) / 2.5
        + here
        - 0.18 * (spread / (1.0 + here))
    )
    score = score + 0.038 * (density > density.mean())
    score = np.where(stranded > 0.057, score - 0.14, score)

    best = int(np.argmin(score))
    return int(unvisited_nodes[best])
