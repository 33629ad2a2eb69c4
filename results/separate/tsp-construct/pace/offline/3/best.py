import numpy as np


def calculate_median_distance_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the median distance to near nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.5)
    median = np.median(between, axis=1)
    return median


def score_mean_distance_nearest(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the visited nodes
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    # the distance to the tour built so far
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.2)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.6)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    return 0.14 * trail + 0.029 * ((crowd - median) * left)


def estimate_many_neighbours_within(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how many neighbours lie within a radius combined with the mean distance to all nodes of the instance; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:16]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.1)
    # how many neighbours lie within a radius
    density = (between < 1.2).mean(axis=1)
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes, ::5].mean(axis=1) / distance_matrix[0].mean()
    return density - 0.96 * typical


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 15, 0)
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    median_distance_near = calculate_median_distance_near(current_node, unvisited_nodes, distance_matrix)
    # the nearest few nodes
    near = unvisited_nodes[:7]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.52)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 2.8)
    mean_distance_nearest = score_mean_distance_nearest(current_node, unvisited_nodes, distance_matrix)
    many_neighbours_within = estimate_many_neighbours_within(current_node, unvisited_nodes, distance_matrix)

    score = (
        here ** 0.932
        - 0.196 * (pull ** 1.42)
        - 0.157 * (median_distance_near - median_distance_near.min())
        - 0.158 * np.maximum(median, 0.9)
        - 0.0371 * (median_distance_near * (1.0 - left))
        + (0.273 * trail) * (1.0 - left)
        - 0.078 * (mean_distance_nearest - mean_distance_nearest.min())
        + 0.1 * (many_neighbours_within - many_neighbours_within.min())
    )

    return int(unvisited_nodes[np.argmin(score)])
