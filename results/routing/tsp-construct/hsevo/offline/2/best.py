import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the distance back to the destination, a kernel density of unvisited nodes and the length of a few greedy steps ahead, where the rule gives the most isolated node a bonus, taking the first in order of score."""
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the distance back to the destination
    home = distance_matrix[unvisited_nodes, destination_node]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:14])]
    closed_2 = np.where(between > 0.0, between, 9.0)
    glance_2 = np.zeros(len(unvisited_nodes))
    foot_2 = np.arange(len(unvisited_nodes))
    barred_2 = np.zeros_like(between)
    for _ in range(2):
        choice_2 = closed_2[foot_2] + barred_2
        foot_2 = choice_2.argmin(axis=1)
        glance_2 = glance_2 + choice_2[np.arange(len(foot_2)), foot_2]
        barred_2[np.arange(len(foot_2)), foot_2] = 9.0
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 0.332).mean(axis=1)

    score = (
        here
        - 0.142 * np.minimum(glance_2, 0.07472391236054811)
        + 0.77 * (warmth ** 0.8591783899227979)
    )
    if left > 0.0463:
        score = score - 0.186 * home

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
