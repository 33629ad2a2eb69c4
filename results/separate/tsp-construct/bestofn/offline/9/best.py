import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the rank by distance
    place = np.arange(len(unvisited_nodes))
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:7].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:19]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.6)
    closed = np.where(between > 0.0, between, 9.0)
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.4, 2.4)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 20.5)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stretch = here / (nearest + 1e-9)

    score = (
        place * 0.25
        - 0.108 * swerve
        - 0.87 * (detour / (1.0 + here))
        - 0.22 * (farthest * (1.0 - left))
        + 0.25 * np.minimum(np.minimum(stretch, 4.6), 1.4)
    )

    return int(unvisited_nodes[np.argmin(score)])
