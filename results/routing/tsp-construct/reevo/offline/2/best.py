import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distance back to the destination
    home = distance_matrix[unvisited_nodes, destination_node]
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the rank by distance
    place = np.argsort(np.argsort(here)) / len(unvisited_nodes)
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    # the mean distance to the unvisited nodes around
    remote = between.mean(axis=1)
    detour = here + home - distance_matrix[current_node, destination_node]
    median = np.median(between, axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    # the distances from unvisited nodes to the nearest few
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    median_2 = np.median(between_3, axis=1)

    score = (
        np.log(here + 0.0821)
        + 0.23 * np.exp(-np.abs(here - home) / 0.236)
        + 0.128 * (place ** 0.78)
        - 0.645 * np.maximum(detour, 0.0)
        - 0.712 * (median / (1.0 + here))
        - 0.14 * np.minimum(median_2, 0.17)
        - 0.11 * np.minimum(median, 0.14)
    )
    if left > 0.169:
        score = score - 0.164 * remote
    score = np.where(stranded > 0.066, score - 0.109, score)
    score = np.where(stranded > 0.063, score - 0.293, score)

    if len(unvisited_nodes) <= 3:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
