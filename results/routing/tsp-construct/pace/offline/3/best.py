import numpy as np


def score_many_neighbours_within(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how many neighbours lie within a radius; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.5)
    density = (between < 1.8).mean(axis=1)
    return density


def neighbour_support(node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Average the closeness of the nearest unvisited nodes around one node, each counted by the
    inverse of one plus its distance in units of their mean distance."""
    links = distance_matrix[node, unvisited_nodes[:8]]
    return float(np.mean(1.0 / (1.0 + 1.4 * links / (links.mean() + 1e-9))))


def rate_median_distance_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the median distance to near nodes combined with the cost of coming back for a node later; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.6)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    # the distance from the current node
    here = steps / unit
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the cost of coming back for a node later
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.0, 2.0)
    return median + 0.71 * swerve


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    here = steps / unit
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    many_neighbours_within = score_many_neighbours_within(current_node, unvisited_nodes, distance_matrix)
    neighbour_support_value = np.array([neighbour_support(node, unvisited_nodes, distance_matrix) for node in unvisited_nodes])
    # the nearest few nodes
    near = unvisited_nodes[:11]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.81)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    median_distance_near = rate_median_distance_near(current_node, unvisited_nodes, distance_matrix)
    warmth = np.exp(-between / 1.24).mean(axis=1)

    score = (
        np.log(here + 0.594)
        - 0.19 * pull
        + 0.26 * many_neighbours_within
        - 0.36 * neighbour_support_value
        - 0.0661 * median_distance_near
        - 0.145 * np.minimum(warmth, 0.383)
    )
    score = score - 0.15 * (nearest[:6].max() == nearest)

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
