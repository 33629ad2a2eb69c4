import numpy as np


def get_distance_centre_unvisited(destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the centre of the unvisited nodes combined with the distance to the farthest outpost; returns one value per unvisited node."""
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(between.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid]
    # the distance back to the destination
    home = distance_matrix[unvisited_nodes, destination_node]
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost]
    return pull + 0.88 * reach


def compute_distance_from_current(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance from the current node; returns one value per unvisited node."""
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:14])]
    # the rank by distance
    place = np.argsort(np.argsort(here)) / len(unvisited_nodes)
    # the mean distance to the unvisited nodes around
    remote = between.mean(axis=1)
    # the median distance to unvisited nodes
    median = np.median(between, axis=1)
    return (place ** 1.8) / 11.0 + 1.0 * ((remote - median) * here)


def get_mean_distance_nearest(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:6].mean(axis=1)
    return crowd


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    home = distance_matrix[unvisited_nodes, destination_node]
    detour = here + home - distance_matrix[current_node, destination_node]
    chain_length_value = get_distance_centre_unvisited(destination_node, unvisited_nodes, distance_matrix)
    chain_length_value_2 = get_mean_distance_nearest(unvisited_nodes, distance_matrix)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:9].mean(axis=1)
    skew_distances_unvisited = compute_distance_from_current(current_node, unvisited_nodes, distance_matrix)

    score = (
        here
        - (chain_length_value_2 * left) / 7.6
        - 0.22 * (chain_length_value * here)
        - np.maximum(detour, 0.0) / 5.95
        - crowd / 6.2
        - 0.43 * (skew_distances_unvisited * (1.0 - left))
    )

    if len(unvisited_nodes) <= 5:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
