import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    unit_2 = steps[:2].mean() + 1e-9
    here_2 = steps / unit_2
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean of the shortest steps
    unit_3 = steps[:7].mean() + 1e-9
    # the distance from the current node
    here_3 = steps / unit_3
    # the nearest few nodes
    near_2 = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_3, 2.37)
    # how many neighbours lie within a radius
    density = (between_2 < 1.55).mean(axis=1)
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 4.1)
    ordered_2 = np.sort(between_3, axis=1)
    regret = ordered_2[:, min(4, ordered_2.shape[1] - 1)] - ordered_2[:, 1]
    near_3 = unvisited_nodes[:7]
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 3.54)
    density_2 = (between_4 < 1.0).mean(axis=1)
    unit_4 = steps[:8].mean() + 1e-9
    detour_2 = np.clip((steps + back - direct) / unit_4, 0.0, 4.13)
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = (
        np.sqrt(here)
        - 0.092 * detour
        + here_2 ** 0.461
        + 0.525 * (density / (1.0 + here_3))
        - 0.0254 * (regret ** 2.8)
        - 0.11 * (detour_2 ** 0.72)
        - remote / 11.0
    )
    if left > 0.605:
        score = score - 0.35 * home
    score = score + 0.167 * (density_2 > density_2.mean())

    return int(unvisited_nodes[np.argmin(score)])
