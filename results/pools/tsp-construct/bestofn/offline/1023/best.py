import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, the distance to the nearest other unvisited node, the median distance to near nodes and how much is lost when a node is left behind, where the rule gives the most isolated of the near nodes a bonus, with a rule of its own for the last few nodes."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:2].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.96)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.95, 2.0)
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        np.sqrt(here)
        - 0.127 * median
        - nearest / 7.15
        - (0.068 * np.maximum(swerve, 1.1)) * (1.0 - left)
        + np.minimum(stranded, 1.58) / 7.48
        + 0.29 * np.maximum(np.sin(0.6 * here), 1.1)
    )
    if left > 0.296:
        score = score - 0.17 * home

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
