import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    unit_2 = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:6]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 3.7)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.0)
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.0)
    closed = np.where(between_2 > 0.0, between_2, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between_2)
    for _ in range(6):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        np.log(here + 0.743)
        - (0.481 * (remote ** 2.29)) * left
        + here
        - 0.0166 * (trail * left)
        - 0.14 * np.minimum(glance, 1.3)
        + 0.032 * (np.sin(0.83 * here) ** 2.1)
        - 0.77 * np.minimum(pull, 1.05)
        + 0.026 * (reach - home)
    )
    score = np.where(nearest > 0.54, score - 0.25, score)
    if left > 0.84:
        score = score - 0.1 * remote

    best_node, best_value = unvisited_nodes[0], np.inf
    for node, value in zip(unvisited_nodes, score):
        if value < best_value:
            best_node, best_value = node, value
    return int(best_node)
