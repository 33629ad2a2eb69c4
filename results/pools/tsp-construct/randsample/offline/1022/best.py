import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 4.2)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.4)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    warmth = np.exp(-between / 1.8).mean(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    density = (between < 1.4).mean(axis=1)

    score = (
        np.log(here + 0.86)
        - 0.044 * np.sqrt(trail)
        - 0.049 * np.sqrt(ahead)
        + 0.12 * (warmth * (1.0 - left))
        + 0.1 * np.sqrt((popular / popular.max()))
    )
    score = score + 0.16 * (density > density.mean())

    return int(unvisited_nodes[np.argmin(score)])
