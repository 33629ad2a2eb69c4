import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 13, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    near = unvisited_nodes[:11]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 7.4)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    crowd = ordered[:, 1:7].mean(axis=1)

    score = (
        here
        - (pull ** 2.2) / 2.67
        - 0.18 * np.log1p(home)
        - 0.13 * home
        - 0.28 * np.log1p(stranded)
        - 0.14 * crowd
    )
    score = score - 0.27 * (nearest[:12].max() == nearest)

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
