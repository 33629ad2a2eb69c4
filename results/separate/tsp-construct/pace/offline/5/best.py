import numpy as np


def measure_skew_distances_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the skew of distances to near nodes combined with the length of a few greedy steps ahead; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:8]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.9)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:6].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the length of a few greedy steps ahead
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    return (crowd - median) + 0.73 * glance


def measure_mean_distance_among(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Compute the mean distance among near nodes; returns one number."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.8)
    return float(between[:12].mean())


def get_mean_distance_unvisited(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to the unvisited nodes combined with the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:16]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.8)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:6].mean(axis=1)
    return remote * crowd


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the mean distance to a few nearest neighbours, the mean distance to the unvisited nodes and the detour on the way to the destination, helped by measure_skew_distances_near, measure_mean_distance_among and get_mean_distance_unvisited, taking the smallest score."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    here_2 = steps / unit + np.maximum(np.arange(len(steps)) - 10, 0)
    gap = here_2 - here_2.min()
    skew_distances_near = measure_skew_distances_near(current_node, unvisited_nodes, distance_matrix)
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.82)
    mean_distance_among = measure_mean_distance_among(current_node, unvisited_nodes, distance_matrix)
    sample = unvisited_nodes[::len(unvisited_nodes) // 13 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.27)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:5].mean(axis=1)
    mean_distance_unvisited = get_mean_distance_unvisited(current_node, unvisited_nodes, distance_matrix)

    score = (
        here
        + gap
        - skew_distances_near / 5.9
        - 0.414 * np.maximum(detour, 0.35)
        + 0.12 * (mean_distance_among * remote)
        - 0.054 * (crowd * left)
        - 0.62 * (mean_distance_unvisited * left)
    )

    best = int(np.argmin(score))
    return int(unvisited_nodes[best])
