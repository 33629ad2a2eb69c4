import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    gap = here - here.min()
    unit_2 = steps[:9].mean() + 1e-9
    near_2 = unvisited_nodes[:20]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 8.12)
    closed_2 = np.where(between_2 > 0.0, between_2, 9.0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between_2)
    for _ in range(5):
        choice = closed_2[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 19, 0)
    gap_2 = here_2 - here_2.min()
    near = unvisited_nodes[:11]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.55)
    near_3 = unvisited_nodes[:14]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 4.21)
    spread = between_3.std(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    typical = distance_matrix[unvisited_nodes, ::5].mean(axis=1) / distance_matrix[0].mean()
    median = np.median(between, axis=1)
    typical_2 = distance_matrix[unvisited_nodes, ::4].mean(axis=1) / distance_matrix[0].mean()

    score = (
        gap
        - 0.433 * (glance * (1.0 - left))
        + gap_2
        - 0.61 * np.sqrt(spread)
        + 1.0 * ((reach - home) * (1.0 - left))
        - 0.205 * np.exp(-typical / 1.72)
        - 0.65 * median
        - 0.184 * np.exp(-typical_2 / 1.3)
    )

    return int(unvisited_nodes[np.argmin(score)])
