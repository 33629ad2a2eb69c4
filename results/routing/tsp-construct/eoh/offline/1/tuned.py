import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.64)
    median = np.median(between, axis=1)
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(7):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 8.1)
    # the mean of the shortest steps
    unit_2 = steps[:6].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:17]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 6.72)
    ordered = np.sort(between_2, axis=1)
    crowd = ordered[:, 1:5].mean(axis=1)
    typical = distance_matrix[unvisited_nodes, ::5].mean(axis=1) / distance_matrix[0].mean()
    ordered_2 = np.sort(between, axis=1)
    nearest = ordered_2[:, 1]

    score = (
        here
        - 0.23 * (median ** 0.618)
        + 0.0491 * np.log1p(glance)
        - 0.25 * detour
        - 0.34 * np.minimum(crowd, 1.78)
        - 0.046 * np.minimum(typical, 1.2)
        - 0.11 * median
        + 0.091 * np.exp(-glance / 2.44)
    )

    finalists = np.argsort(score)[:5]
    follow = score[finalists] + 0.24 * nearest[finalists]
    return int(unvisited_nodes[finalists[np.argmin(follow)]])
