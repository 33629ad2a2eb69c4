import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    here = steps / unit
    gap = here - here.min()
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.6)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    # the nearest few nodes
    near_2 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit, 2.1)
    # the median distance to near nodes
    median = np.median(between_2, axis=1)
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    unit_2 = steps[:9].mean() + 1e-9
    here_2 = steps / unit_2
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 1.38)
    # sorted neighbour distances
    ordered_2 = np.sort(between_3, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_2[:, 1]
    stranded_2 = np.maximum(nearest_2 - here_2, 0.0)
    sample_3 = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    around_3 = distance_matrix[np.ix_(unvisited_nodes, sample_3)]
    remote_3 = around_3.mean(axis=1) / (around_3.mean() + 1e-9)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    warmth = np.exp(-between / 0.97).mean(axis=1)

    score = (
        gap
        - 0.19 * home
        - 0.65 * np.log1p(home)
        - 0.15 * stranded
        - median / 3.6
        - 0.985 * farthest
        - 0.35 * stranded_2
        + 0.14 * (warmth * (1.0 - left))
    )

    appeal = np.exp(-score / 1.8)
    appeal = appeal * (1.0 + 0.097 * remote_3)
    return int(unvisited_nodes[np.argmax(appeal)])
