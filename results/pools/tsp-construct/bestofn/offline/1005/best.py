import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the rank by distance
    place = np.arange(len(unvisited_nodes))
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:5].mean() + 1e-9
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.8)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stretch = here / (nearest + 1e-9)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    crowd = ordered[:, 1:6].mean(axis=1)
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    stranded = np.maximum(nearest - here, 0.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0

    score = (
        place * 0.233
        - 0.89 * home
        - np.minimum(np.minimum(stretch, 4.0), 0.76) / 30.0
        - 0.22 * (crowd ** 1.45)
        - 0.087 * reach
        + ((popular / popular.max()) * left) / 1.9
        - 0.124 * np.sqrt(crowd)
        + glance / 17.1
    )
    score = np.where(stranded > 0.44, score - 0.372, score)

    if len(unvisited_nodes) <= 2:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
