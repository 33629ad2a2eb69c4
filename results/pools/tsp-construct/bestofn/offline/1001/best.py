import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.0)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    median = np.median(between, axis=1)

    score = (
        here
        - (farthest ** 1.15) / 1.53
        - 0.398 * np.sqrt(pull)
        - 0.092 * (home * left)
        - 0.082 * median
    )
    if left > 0.47:
        score = score - 0.22 * remote
    score = np.where(nearest > 1.2, score - 0.17, score)
    if left > 0.33:
        score = score - 0.2 * home

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
