import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 18, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.5)
    density = (between < 2.04).mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    ordered = np.sort(between, axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 7 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)
    closed = np.where(between > 0.0, between, 9.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.0, 2.0)
    nearest = ordered[:, 1]

    score = (
        here
        + 0.19 * density
        + 0.14 * (np.sin(0.427 * here) * (1.0 - left))
        + np.minimum(np.sin(2.64 * here), 1.32) / 5.8
        - 0.3 * crowd
        + 0.026 * np.maximum(swerve, 2.52)
        - (home / (1.0 + here)) / 2.5
    )
    if steps[0] > 1.5 * nearest.mean() * unit:
        score = score + 0.32 * crowd

    appeal = np.exp(-score / 1.2)
    appeal = appeal * (1.0 + 0.27 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
