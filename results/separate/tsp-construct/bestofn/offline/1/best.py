import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 18, 0)
    near = unvisited_nodes[:13]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.5)
    ordered = np.sort(between, axis=1)
    # how many neighbours lie within a radius
    density = (between < 1.24).mean(axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = np.maximum(here, 0.53) - 0.107 * (stranded ** 2.2) - 0.091 * farthest
    score = score + 0.348 * (density > density.mean())
    score = np.where(stranded > 0.63, score - 0.34, score)
    score = score - 0.063 * (nearest[:12].max() == nearest)

    return int(unvisited_nodes[np.argmin(score[:4])])
