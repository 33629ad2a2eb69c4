import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:6].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    # the nearest few nodes
    near = unvisited_nodes[:15]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 8.79)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    # how many neighbours lie within a radius
    density = (between < 0.97).mean(axis=1)

    score = (
        np.log(here + 0.45)
        - 0.194 * np.minimum(median, 0.702)
        - 0.207 * pull
        - (0.97 * (median / (1.0 + here))) * left
        - 0.087 * np.minimum(density, 0.76)
    )
    if left > 0.365:
        score = score - 0.27 * home
    if left > 0.52:
        score = score - 0.23 * remote
    score = np.where(stranded > 0.28, score - 0.19, score)

    if len(unvisited_nodes) <= 5:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
