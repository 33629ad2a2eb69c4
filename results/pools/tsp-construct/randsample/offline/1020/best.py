import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the distance back to the destination, the distance to the nearest other unvisited node and how much is lost when a node is left behind, where the rule picks up nodes that would be stranded, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.0)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)

    score = np.sqrt(here) - 0.042 * nearest - 0.12 * (home ** 2)
    score = np.where(stranded > 0.49, score - 0.34, score)

    return int(unvisited_nodes[np.argmin(score)])
