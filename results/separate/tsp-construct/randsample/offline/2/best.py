import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the logarithm of the distance, the distance back to the destination and the median distance to near nodes, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    # the nearest few nodes
    near = unvisited_nodes[:16]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.8)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()

    score = np.log(here + 0.72) - 0.15 * median - 0.049 * home

    return int(unvisited_nodes[np.argmin(score)])
