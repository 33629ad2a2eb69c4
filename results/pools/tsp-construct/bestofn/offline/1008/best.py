import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    # the nearest few nodes
    near = unvisited_nodes[:14]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.3)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -3.8, 1.16)
    density = (between < 2.0).mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    sample = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:8].mean(axis=1)
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    stranded = np.maximum(nearest - here, 0.0)
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]

    score = (
        np.log(here + 0.104)
        - 0.43 * swerve
        + density / 2.3
        - 0.421 * np.maximum(pull, 0.61)
        - 0.65 * (farthest ** 1.0)
        + 0.12 * (reach - home)
        + 0.955 * np.sqrt(density)
        + 0.82 * np.maximum(typical, 1.9)
    )
    if steps[0] > 2.0 * nearest.mean() * unit:
        score = score + 0.34 * crowd
    score = np.where(stranded > 0.58, score - 0.2, score)
    if left < 0.16:
        score = score + 0.16 * home

    best = int(np.argmin(score))
    return int(unvisited_nodes[best])
