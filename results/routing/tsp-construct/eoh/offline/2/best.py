import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:8].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 5.4)
    near = unvisited_nodes[:17]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.1)
    median = np.median(between, axis=1)
    density = (between < 1.8).mean(axis=1)
    near_2 = unvisited_nodes[:9]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit, 2.73)
    density_2 = (between_2 < 0.98).mean(axis=1)
    # the mean of the shortest steps
    unit_2 = steps[:5].mean() + 1e-9
    # the distance from the current node
    here_2 = steps / unit_2
    near_3 = unvisited_nodes[:12]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 3.71)
    median_2 = np.median(between_3, axis=1)
    # the detour on the way to the destination
    detour_2 = np.clip((steps + back - direct) / unit_2, 0.0, 4.5)

    score = (
        here
        - 0.205 * np.maximum(detour, 0.19)
        - 0.94 * np.log1p(median)
        + density / 13.0
        + density_2 / 11.0
        + here_2
        - 0.96 * np.log1p(median_2)
        - 0.159 * np.maximum(detour_2, 0.239)
    )

    return int(unvisited_nodes[np.argmin(score)])
