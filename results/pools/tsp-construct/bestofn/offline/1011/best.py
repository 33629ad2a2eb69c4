import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:2].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    # the nearest few nodes
    near = unvisited_nodes[:17]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.1)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.74, 2.0)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stretch = here / (nearest + 1e-9)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    spread = between.std(axis=1)
    median = np.median(between, axis=1)
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = (
        np.sqrt(here)
        - 0.132 * (swerve ** 2.0)
        - 0.162 * np.log1p(farthest)
        + (np.minimum(stretch, 2.5) / 6.5) * (1.0 - left)
        - 0.15 * spread
        - 0.93 * np.sqrt(median)
        + 0.011 * (spread / (1.0 + here))
        + 0.13 * np.minimum(median, 1.7)
    )

    appeal = np.exp(-score / 1.1)
    appeal = appeal * (1.0 + 0.12 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
