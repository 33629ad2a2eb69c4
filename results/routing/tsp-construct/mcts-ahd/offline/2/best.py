import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, how many neighbours lie within a radius, how much is lost when a node is left behind and the detour on the way to the destination, where the rule postpones dense regions, through an exponential appeal that favours remote nodes."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.2)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    here_2 = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    near_2 = unvisited_nodes[:18]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit, 5.2)
    ordered_2 = np.sort(between_2, axis=1)
    nearest = ordered_2[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here_2, 0.0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    unit_2 = steps[:2].mean() + 1e-9
    here_3 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 12, 0)
    detour = np.clip((steps + back - direct) / unit_2, 0.0, 9.0)
    detour_2 = np.clip((steps + back - direct) / unit, 0.0, 9.0)
    regret_2 = ordered_2[:, min(7, ordered_2.shape[1] - 1)] - ordered_2[:, 1]
    # how many neighbours lie within a radius
    density = (between_2 < 2.1).mean(axis=1)
    here_4 = steps / unit + np.maximum(np.arange(len(steps)) - 9, 0)
    near_3 = unvisited_nodes[:15]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit, 8.3)
    ordered_3 = np.sort(between_3, axis=1)
    nearest_2 = ordered_3[:, 1]
    here_5 = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    # how much is lost when a node is left behind
    stranded_2 = np.maximum(nearest_2 - here_5, 0.0)
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit, 6.85)
    # how many neighbours lie within a radius
    density_2 = (between_4 < 1.9).mean(axis=1)
    # how many neighbours lie within a radius
    density_3 = (between_3 < 2.35).mean(axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = (
        here
        - 0.13 * (regret * left)
        - 0.12 * (stranded ** 1.3)
        - 0.127 * (detour / (1.0 + here_3))
        - 0.391 * (detour_2 / (1.0 + here_2))
        - 0.076 * regret_2
        + np.log(here_4 + 0.146)
        - 0.1 * (stranded_2 ** 2.4)
    )
    score = score + 0.31 * (density > density.mean())
    score = score + 0.31 * (density_2 > density_2.mean())
    score = score + 0.33 * (density_3 > density_3.mean())

    appeal = np.exp(-score / 0.94)
    appeal = appeal * (1.0 + 0.12 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
