import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    gap = here - here.min()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.2)
    sample = unvisited_nodes[::len(unvisited_nodes) // 13 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    sample_3 = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around_3 = distance_matrix[np.ix_(unvisited_nodes, sample_3)]
    farthest = around_3.max(axis=1) / (around_3.max() + 1e-9)
    remote_3 = around_3.mean(axis=1) / (around_3.mean() + 1e-9)
    unit_2 = steps[:12].mean() + 1e-9
    near = unvisited_nodes[:18]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 24.0)
    density = (between < 1.0).mean(axis=1)
    unit_3 = steps[:9].mean() + 1e-9
    here_3 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 18, 0)
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_3, 2.56)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    stretch = here_3 / (nearest_2 + 1e-9)
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 12.0)
    # how many neighbours lie within a radius
    density_2 = (between_4 < 1.0).mean(axis=1)
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()

    score = (
        gap
        + 0.158 * (detour * left)
        - 0.165 * (remote ** 1.99)
        + 0.159 * np.exp(-farthest / 0.75)
        - 0.131 * (remote_3 ** 1.2)
        + 0.088 * np.minimum(stretch, 2.88)
        + 0.11 * np.sqrt(pull)
        - 0.12 * (detour * left)
    )
    score = score + 0.198 * (density > density.mean())
    if left > 0.71:
        score = score - 0.358 * remote
    score = score + 0.063 * (density_2 > density_2.mean())

    return int(unvisited_nodes[np.argmin(score[:5])])
