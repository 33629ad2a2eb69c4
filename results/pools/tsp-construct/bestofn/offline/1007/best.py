import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the rank by distance
    place = np.arange(len(unvisited_nodes))
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the visited nodes
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    # the distance to the tour built so far
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 3.63)
    # the nearest few nodes
    near = unvisited_nodes[:17]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.45)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    density = (between < 2.0).mean(axis=1)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    sample = unvisited_nodes[::len(unvisited_nodes) // 6 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    crowd = ordered[:, 1:4].mean(axis=1)
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()

    score = (
        place * 0.44
        + 0.34 * trail
        - 0.566 * ahead
        + 0.807 * ((nearest / (crowd + 1e-9)) * left)
        - 0.632 * (farthest ** 0.76)
        - 0.643 * remote
        - 0.097 * (pull ** 2.2)
        - 0.11 * (typical * (1.0 - left))
    )
    score = score + 0.22 * (density > density.mean())
    score = score - 0.26 * (nearest[:14].max() == nearest)
    score = np.where(stranded > 0.37, score - 0.273, score)

    appeal = np.exp(-score / 1.2)
    appeal = appeal * (1.0 + 0.11 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
