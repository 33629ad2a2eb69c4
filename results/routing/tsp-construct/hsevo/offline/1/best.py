import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:15])]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(between.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid]
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    home = distance_matrix[unvisited_nodes, destination_node]
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    detour = here + home - distance_matrix[current_node, destination_node]
    # the distances from unvisited nodes to the nearest few
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:11])]
    # the mean distance to the unvisited nodes around
    remote = between_2.mean(axis=1)
    # the mean distance to the unvisited nodes around
    remote_2 = between.mean(axis=1)

    score = (
        np.log(here + 0.17382523976108516)
        - 1.0824624022873517 * pull
        - np.minimum((0.4323587104634132 * nearest), 0.3272661579153876)
        - np.minimum((0.497456050649973 * np.maximum(reach, 0.5236029356544429)), 0.55)
        + reach / 15.289578686640105
        - 0.9950561596544407 * (np.maximum(detour, 0.0) * (1.0 - left))
        - 0.12667806328937678 * np.sqrt(remote)
        - 0.14841825361369623 * np.sqrt(remote_2)
    )

    pool = np.argsort(here)[:6]
    return int(unvisited_nodes[pool[np.argmin(score[pool])]])
