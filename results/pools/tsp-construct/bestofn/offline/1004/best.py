import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.38)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # the median distance to near nodes
    median = np.median(between, axis=1)

    score = (
        np.minimum(np.sqrt(here), 3.01)
        + (0.042 * (np.sin(3.32 * here) * left)) * left
        - 0.99 * farthest
        + 0.095 * np.log1p((popular / popular.max()))
        + 0.0276 * reach
        - 0.026 * median
        - 0.071 * np.maximum(reach, 0.63)
    )

    if len(unvisited_nodes) <= 5:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
