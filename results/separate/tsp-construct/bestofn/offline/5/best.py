import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:5].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.7)
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 0.91).mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stretch = here / (nearest + 1e-9)
    spread = between.std(axis=1)
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    crowd = ordered[:, 1:5].mean(axis=1)

    score = (
        here
        - (0.0349 * (pull ** 1.93)) * left
        + 1.2 * warmth
        - np.exp(-np.minimum(stretch, 4.8) / 1.1) / 6.8
        + 0.412 * np.exp(-spread / 0.557)
        - 0.261 * np.maximum(remote, 0.59)
    )
    if left > 0.6:
        score = score - 0.29 * home
    if steps[0] > 1.1 * nearest.mean() * unit:
        score = score + 0.24 * crowd

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
