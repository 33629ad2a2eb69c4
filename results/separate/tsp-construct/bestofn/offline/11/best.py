import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the rank by distance
    place = np.arange(len(unvisited_nodes))
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.4)
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:8].mean(axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 15 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()

    score = (
        place * 0.362
        - 0.79 * crowd
        - 0.27 * pull
        + ((nearest / (crowd + 1e-9)) / (1.0 + here)) / 11.0
        - 0.37 * (home / (1.0 + here))
    )
    score = np.where(nearest > 1.8, score - 0.631, score)

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
