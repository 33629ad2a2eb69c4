import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit
    back = distance_matrix[unvisited_nodes, destination_node]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 24 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    unit_2 = steps[:5].mean() + 1e-9
    near = unvisited_nodes[:5]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 2.95)
    density = (between < 2.55).mean(axis=1)
    near_2 = unvisited_nodes[:13]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 16.8)
    ordered = np.sort(between_2, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    near_3 = unvisited_nodes[:12]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit, 143.0)
    ordered_2 = np.sort(between_3, axis=1)
    crowd_2 = ordered_2[:, 1:8].mean(axis=1)
    # the mean of the shortest steps
    unit_3 = steps[:7].mean() + 1e-9
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit_3, 0.0, 2.33)
    near_4 = unvisited_nodes[:6]
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit, 0.642)
    ordered_3 = np.sort(between_4, axis=1)
    nearest = ordered_3[:, 1]
    crowd_3 = ordered_3[:, 1:3].mean(axis=1)
    # the distances from unvisited nodes to the nearest few
    between_5 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.6)
    # sorted neighbour distances
    ordered_4 = np.sort(between_5, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_4[:, 1]

    score = (
        here
        - np.minimum((0.071 * (pull * (1.0 - left))), 0.54)
        - np.maximum(density, 0.28) / 2.12
        - 0.283 * crowd
        - 0.23 * crowd_2
        - 0.18 * detour
    )
    if steps[0] > 1.0 * nearest.mean() * unit:
        score = score + 0.14 * crowd_3
    score = np.where(nearest_2 > 2.4, score - 0.18, score)

    appeal = np.exp(-score / 0.69)
    appeal = appeal * (1.0 + 0.46 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
