import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    near = unvisited_nodes[:6]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.8)
    density = (between < 1.6).mean(axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:6].mean(axis=1)
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes, ::7].mean(axis=1) / distance_matrix[0].mean()
    # the median distance to near nodes
    median = np.median(between, axis=1)

    score = (
        here
        + 0.235 * (density ** 1.4)
        - 0.21 * ((nearest / (crowd + 1e-9)) ** 1.22)
        - 0.67 * typical
        + 0.68 * np.maximum((crowd - median), 0.42)
    )
    score = np.where(here <= 1.5 * here.min(), score, score + 2.5)

    return int(unvisited_nodes[np.argmin(score)])
