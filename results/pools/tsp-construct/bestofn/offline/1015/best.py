import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the median distance to near nodes, the regret between first and second nearest neighbour and how much is lost when a node is left behind, where the rule gives the most isolated of the near nodes a bonus, with a rule of its own for the last few nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 10, 0)
    gap = here - here.min()
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 10.0)
    median = np.median(between, axis=1)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the step relative to the nearest neighbour's distance
    stretch = here / (nearest + 1e-9)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    crowd = ordered[:, 1:3].mean(axis=1)
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        gap
        - 0.525 * (median / (1.0 + here))
        - 0.67 * home
        - 0.833 * regret
        + 0.28 * (np.minimum(stretch, 2.5) / (1.0 + here))
        - (crowd - median) / 54.1
        - 0.144 * (nearest * left)
        - 0.13 * stranded
    )
    if left > 0.46:
        score = score - 0.287 * home

    if len(unvisited_nodes) <= 2:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
