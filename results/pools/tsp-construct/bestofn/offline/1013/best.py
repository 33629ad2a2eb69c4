import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    place = np.arange(len(unvisited_nodes))
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.82)
    closed = np.where(between > 0.0, between, 9.0)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)

    score = (
        place * 0.82
        + 0.995 * (popular / popular.max())
        - (remote ** 3.7) / 4.56
        - 1.16 * np.maximum(median, 0.82)
        - 0.683 * np.maximum(pull, 0.35)
        - 0.71 * (np.sin(1.5 * here) ** 2)
        + 1.1 * (reach - home)
        - 0.79 * np.minimum(crowd, 0.88)
    )
    score = np.where(here <= 2.1 * here.min(), score, score + 2.4)

    appeal = np.exp(-score / 1.59)
    appeal = appeal * (1.0 + 0.5 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
