import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the mean distance to all nodes of the instance, how much is lost when a node is left behind and the detour on the way to the destination, where the rule picks up nodes that would be stranded, as the first step of the best pair."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:8].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the nearest few nodes
    near = unvisited_nodes[:13]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.9)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.1)
    # the mean of the shortest steps
    unit_2 = steps[:2].mean() + 1e-9
    # the distance from the current node
    here_2 = steps / unit_2
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    # the mean of the shortest steps
    unit_4 = steps[:3].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:17]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_4, 19.0)
    density = (between_2 < 3.4377543920221427).mean(axis=1)
    # the nearest few nodes
    near_3 = unvisited_nodes[:13]
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 3.1)
    # sorted neighbour distances
    ordered_2 = np.sort(between_3, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_2[:, 1]
    # how much is lost when a node is left behind
    stranded_2 = np.maximum(nearest_2 - here_2, 0.0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    crowd = ordered[:, 1:5].mean(axis=1)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor, minlength=len(unvisited_nodes))

    score = (
        -0.25 * np.sqrt(detour)
        - 0.069 * np.log1p(reach)
        - 0.849 * (typical ** 0.81)
        + (0.71 * density) ** 3.2
        + np.minimum(remote, 0.473) / 6.770936327239199
        + here_2
        - 0.6 * crowd
        - 0.1 * (popular / popular.max())
    )
    score = np.where(stranded > 0.28, score - 0.6370741057716414, score)
    score = np.where(stranded_2 > 0.248, score - 1.2004099360354699, score)

    pairs = score[:, None] + 0.0421 * closed
    return int(unvisited_nodes[np.argmin(pairs.min(axis=1))])
