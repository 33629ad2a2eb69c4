import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 18, 0)
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.487957446425825)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    unit_2 = steps[:5].mean() + 1e-9
    near_3 = unvisited_nodes[:9]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    unit_4 = steps[:2].mean() + 1e-9
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_4, 16.982020103569035)
    here_3 = steps / unit_4 + np.maximum(np.arange(len(steps)) - 15, 0)
    closed_2 = np.where(between_4 > 0.0, between_4, 9.0)
    swerve = np.clip((closed_2 + here_3[:closed_2.shape[1]]).min(axis=1) - here_3, -2.1454827530933747, 2.1)
    # how many neighbours lie within a radius
    density = (between < 1.9776480218338035).mean(axis=1)
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 2.952659920843283)
    near_4 = unvisited_nodes[:14]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit_2, 4.5)
    warmth = np.exp(-between_3 / 1.4383101454345355).mean(axis=1)
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        here
        - (np.maximum(np.sin(1.6 * here), 0.572) / 10.307941706076377) ** 4.3446697858381
        - 0.0382 * (swerve * left)
        + 0.23903620602834652 * density
        - 0.23 * (detour ** 1.3)
        + 0.6334236230178518 * warmth
        - np.log1p(reach) / 8.200364657167132
    )

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
