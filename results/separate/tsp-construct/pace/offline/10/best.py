import numpy as np


def compute_skew_distances_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the skew of distances to near nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.9)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:5].mean(axis=1)
    median = np.median(between, axis=1)
    return np.minimum((crowd - median), 1.3)


def score_many_neighbours_within(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how many neighbours lie within a radius; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.4)
    # how many neighbours lie within a radius
    density = (between < 0.86).mean(axis=1)
    return np.sqrt(density)


def estimate_length_greedy_steps(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the length of a few greedy steps ahead; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:13]
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.4)
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    return 0.035 * (glance * left) + 0.152 * home


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.61)
    closed = np.where(between > 0.0, between, 9.0)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    distance_farthest_unvisited = score_many_neighbours_within(current_node, unvisited_nodes, distance_matrix)
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.3)
    closed_2 = np.where(between_2 > 0.0, between_2, 9.0)
    glance_2 = np.zeros(len(unvisited_nodes))
    foot_2 = np.arange(len(unvisited_nodes))
    barred_2 = np.zeros_like(between_2)
    for _ in range(3):
        choice_2 = closed_2[foot_2] + barred_2
        foot_2 = choice_2.argmin(axis=1)
        glance_2 = glance_2 + choice_2[np.arange(len(foot_2)), foot_2]
        barred_2[np.arange(len(foot_2)), foot_2] = 9.0
    skew_distances_near = compute_skew_distances_near(current_node, unvisited_nodes, distance_matrix)
    here_2 = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    unit_2 = steps[:3].mean() + 1e-9
    near_2 = unvisited_nodes[:11]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 1.43)
    ordered = np.sort(between_3, axis=1)
    nearest = ordered[:, 1]
    sample = unvisited_nodes[::len(unvisited_nodes) // 8 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    length_greedy_steps = estimate_length_greedy_steps(current_node, destination_node, unvisited_nodes, distance_matrix)

    score = (
        here
        + 0.19 * (popular / popular.max())
        + 0.33 * (distance_farthest_unvisited * (1.0 - left))
        + 0.035 * (glance_2 * left)
        + 0.152 * home
        + 0.791 * (skew_distances_near * (1.0 - left))
        - 0.054 * (reach / (1.0 + here_2))
        + (length_greedy_steps * left) / 6.9
    )
    if left > 0.56:
        score = score - 0.066 * home
    score = np.where(nearest > 1.8, score - 0.133, score)
    if left > 0.207:
        score = score - 0.296 * home

    appeal = np.exp(-score / 2.19)
    appeal = appeal * (1.0 + 0.28 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
