import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    zscore = (here - here.mean()) / (here.std() + 1e-9)
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:4])]
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:9])]
    ordered_2 = np.sort(between_2, axis=1)
    crowd = ordered_2[:, 1:5].mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    home = distance_matrix[unvisited_nodes, destination_node]
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:6])]
    # sorted neighbour distances
    ordered_3 = np.sort(between_3, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_3[:, 1]
    density = (between < 0.38).mean(axis=1)

    score = (
        zscore
        - 1.0 * np.log1p(crowd)
        + (glance * (1.0 - left)) / 7.5
        - 1.27 * np.abs(here - home)
        - (nearest_2 / (nearest_2.mean() + 1e-9)) / 1.54
        + 0.26 * (trail / (1.0 + here))
        - 0.092 * (np.sin(4.5 * here) * (1.0 - left))
    )
    score[6:] += 0.324
    score = np.where(nearest > 0.15, score - 0.056, score)
    score = score + 0.12 * (density > density.mean())

    if len(unvisited_nodes) <= 2:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
