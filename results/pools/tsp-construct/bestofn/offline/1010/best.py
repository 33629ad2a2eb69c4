import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 24, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.59)
    # the nearest few nodes
    near = unvisited_nodes[:15]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.0)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)
    # the length of a few greedy steps ahead
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(3):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.71)
    home = back / distance_matrix[destination_node].mean()

    score = (
        here
        + (trail * left) / 2.87
        - 0.79 * spread
        - 0.1 * median
        - 0.36 * np.maximum(crowd, 0.97)
        - (0.075 * (glance * left)) * left
        - 0.16 * detour
        - 0.0867 * (nearest ** 2)
    )
    score[8:] += 1.4

    ties = np.round(score, 2)
    return int(unvisited_nodes[np.lexsort((home, ties))[0]])
