import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.8)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.0)
    density = (between < 1.5).mean(axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.4)
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here
        - 0.797 * np.sqrt(crowd)
        - 0.177 * np.maximum((reach - home), 0.97)
        + 0.31 * (reach * (1.0 - left))
        - 0.045 * detour
        - 0.046 * np.log1p(density)
        - 0.22 * (trail / (1.0 + here))
        - (stranded ** 2) / 4.2
    )
    if steps[0] > 1.2 * nearest.mean() * unit:
        score = score + 0.063 * crowd

    appeal = np.exp(-score / 0.714)
    appeal = appeal * (1.0 + 0.196 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
