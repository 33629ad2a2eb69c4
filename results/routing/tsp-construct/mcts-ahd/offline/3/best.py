import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    # the visited nodes
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    # the distance to the tour built so far
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.7)
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 8.2)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:8].mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.99, 1.78)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.17)
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]

    score = (
        here
        + 0.062 * np.exp(-trail / 1.5)
        - 0.475 * crowd
        + 0.037 * (swerve * left)
        - 0.036 * (detour * (1.0 - left))
        - 0.246 * (remote ** 2.0)
        + 0.0474 * np.exp(-nearest / 1.6)
        - 0.074 * np.maximum(detour, 1.1)
    )
    score[6:] += 2.7
    if steps[0] > 1.4 * nearest.mean() * unit:
        score = score + 0.165 * crowd

    return int(unvisited_nodes[np.argmin(score)])
