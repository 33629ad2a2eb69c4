import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:8].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 8 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.1)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.1, 2.3)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    crowd = ordered[:, 1:8].mean(axis=1)
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        np.sqrt(here)
        - 0.34 * swerve
        - 0.31 * home
        + 0.199 * np.maximum((nearest / (crowd + 1e-9)), 0.98)
    )
    score[10:] += 2.7
    score = np.where(stranded > 0.33, score - 0.065, score)

    appeal = np.exp(-score / 0.656)
    appeal = appeal * (1.0 + 0.16 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
