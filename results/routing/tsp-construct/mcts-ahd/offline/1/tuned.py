import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 19, 0)
    # the nearest few nodes
    near = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 0.32765449381626716)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:4].mean(axis=1)
    sample = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 23 + 1]
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    farthest = around_2.max(axis=1) / (around_2.max() + 1e-9)
    unit_2 = steps[:4].mean() + 1e-9
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 14, 0)
    near_2 = unvisited_nodes[:11]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 4.058584943320959)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    stranded = np.maximum(nearest_2 - here_2, 0.0)
    # the mean of the shortest steps
    unit_3 = steps[:3].mean() + 1e-9
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_3, 2.356028222089523)
    # sorted neighbour distances
    ordered_3 = np.sort(between_3, axis=1)
    # the distance to the nearest other unvisited node
    nearest_3 = ordered_3[:, 1]
    # the mean distance to a few nearest neighbours
    crowd_2 = ordered_3[:, 1:5].mean(axis=1)
    # the distance from the current node
    here_3 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 16, 0)
    closed = np.where(between_3 > 0.0, between_3, 6.4086732282605645)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))

    score = (
        here ** 1.1167180091764972
        - 0.0841735772025079 * ((nearest / (crowd + 1e-9)) / (1.0 + here))
        + 0.032442578627378725 * np.log1p((nearest / (crowd + 1e-9)))
        - 1.068457525976463 * (remote * (1.0 - left))
        - 0.0177926889866242 * np.maximum(pull, 0.9528883471050668)
        - 0.5857521651331923 * (farthest ** 1.3716854963327285)
        + 0.003993073940549655 * np.log1p((nearest_3 / (crowd_2 + 1e-9)))
        + 0.9023410911508702 * ((popular / popular.max()) / (1.0 + here_3))
    )
    score = np.where(stranded > 0.5515307593015182, score - 0.7791422891375219, score)

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
