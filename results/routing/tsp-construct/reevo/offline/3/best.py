import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    # the nearest few nodes
    near = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.9)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:10].mean(axis=1)
    # the mean of the shortest steps
    unit_2 = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:14]
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 5.1)
    # how many neighbours lie within a radius
    density = (between_3 < 3.1).mean(axis=1)
    # the mean of the shortest steps
    unit_3 = steps[:5].mean() + 1e-9
    # the distance from the current node
    here_2 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 14, 0)
    # the extra length over the shortest step
    gap = here_2 - here_2.min()
    # the nearest few nodes
    near_3 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_3, 2.1)
    # sorted neighbour distances
    ordered_4 = np.sort(between_4, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered_4[:, 1]
    # distances among unvisited nodes without loops
    closed_2 = np.where(between_4 > 0.0, between_4, 9.0)
    # the nearest successor
    successor_2 = closed_2.argmin(axis=1)
    # the length of the next two steps
    ahead = nearest + nearest[successor_2]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.0)
    nearest_2 = ordered[:, 1]
    stranded = np.maximum(nearest_2 - here, 0.0)
    # the distances from unvisited nodes to the nearest few
    between_5 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.12)
    # sorted neighbour distances
    ordered_3 = np.sort(between_5, axis=1)
    # the distance to the nearest other unvisited node
    nearest_3 = ordered_3[:, 1]
    # the distance from the current node
    here_3 = steps / unit + np.maximum(np.arange(len(steps)) - 19, 0)
    # how much is lost when a node is left behind
    stranded_2 = np.maximum(nearest_3 - here_3, 0.0)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    # the distance from the current node
    here_4 = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    # the nearest few nodes
    near_4 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_6 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit, 2.9)
    # sorted neighbour distances
    ordered_5 = np.sort(between_6, axis=1)
    nearest_4 = ordered_5[:, 1]
    stranded_3 = np.maximum(nearest_4 - here_4, 0.0)
    # the nearest few nodes
    near_5 = unvisited_nodes[:13]
    # the distances from unvisited nodes to the nearest few
    between_7 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_5)] / unit_2, 5.52)
    # how many neighbours lie within a radius
    density_2 = (between_7 < 6.75).mean(axis=1)

    score = (
        np.log(here + 0.71)
        + gap
        - 0.27 * ahead
        - 0.48 * detour
        - np.maximum(stranded, 0.995) / 13.0
        - 0.095 * (crowd ** 2)
        - 0.086 * regret
        - np.maximum(stranded_3, 0.99) / 6.46
    )
    score = score + 0.12 * (density > density.mean())
    score = np.where(stranded_2 > 0.986, score - 0.237, score)
    score = score + 0.11 * (density_2 > density_2.mean())

    return int(unvisited_nodes[np.argmin(score[:10])])
