import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, a kernel density of unvisited nodes, how much is lost when a node is left behind and the detour on the way to the destination, where the rule postpones dense regions, with a rule of its own for the last few nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    near = unvisited_nodes[:13]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.6)
    warmth = np.exp(-between / 2.2).mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.5)
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:2].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here
        - (0.0194 * np.minimum(spread, 1.0)) * left
        - 0.341 * np.maximum(detour, 0.34)
        - 0.03 * ((crowd - median) ** 2)
        - stranded / 2.6
        - 0.14 * np.sin(1.3 * here)
        + 0.0213 * np.minimum(warmth, 0.922)
    )
    if left < 0.1:
        score = score + 0.34 * home

    if len(unvisited_nodes) <= 2:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
