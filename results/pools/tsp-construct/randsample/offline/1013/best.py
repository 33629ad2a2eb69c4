import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the distance to the farthest unvisited node, the mean distance to all nodes of the instance and the detour on the way to the destination, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.3)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes, ::7].mean(axis=1) / distance_matrix[0].mean()
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = (
        np.log(here + 0.7)
        - 0.11 * (detour ** 1.4)
        + 0.055 * (typical * (1.0 - left))
        - 0.14 * np.log1p(farthest)
    )

    return int(unvisited_nodes[np.argmin(score)])
