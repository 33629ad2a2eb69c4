import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, how many neighbours lie within a radius, the distance to the tour built so far and how much is lost when a node is left behind, where the rule picks up nodes that would be stranded, through an exponential appeal that favours remote nodes."""
    place = np.arange(len(unvisited_nodes))
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:9].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:13]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.2)
    # how many neighbours lie within a radius
    density = (between < 0.944).mean(axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 8.3)
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = (
        place * 0.143
        - np.maximum((0.057 * np.maximum((reach - home), 0.844)), 0.91)
        - 0.0869 * (remote ** 1.2)
        + 0.91 * np.sqrt(density)
        + 0.12 * np.log1p(remote)
        + (trail / (1.0 + here)) / 6.6
        - np.maximum((0.045 * np.log1p(farthest)), 0.69)
        - 0.0295 * np.maximum(remote, 1.0)
    )
    score = np.where(stranded > 0.217, score - 0.54, score)

    appeal = np.exp(-score / 0.888)
    appeal = appeal * (1.0 + 0.0639 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
