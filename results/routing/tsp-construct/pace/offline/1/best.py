import numpy as np


def score_median_distance_near(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the median distance to near nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.8)
    median = np.median(between, axis=1)
    return median


def neighbour_support(node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Average the closeness of the nearest unvisited nodes around one node, each counted by the
    inverse of one plus its distance in units of their mean distance."""
    links = distance_matrix[node, unvisited_nodes[:8]]
    return float(np.mean(1.0 / (1.0 + 2.1 * links / (links.mean() + 1e-9))))


def evaluate_detour_destination(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the detour on the way to the destination; returns one value per unvisited node."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 1.3)
    return np.log1p(detour) / 2.85


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the nearest few nodes
    near = unvisited_nodes[:3]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.8)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 12 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    density = (between < 1.15).mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    cost_coming_back = score_median_distance_near(current_node, unvisited_nodes, distance_matrix)
    neighbour_support_value = np.array([neighbour_support(node, unvisited_nodes, distance_matrix) for node in unvisited_nodes])
    detour_destination = evaluate_detour_destination(current_node, destination_node, unvisited_nodes, distance_matrix)

    score = (
        here
        + 0.0879 * (density ** 2.01)
        + 0.95 * (farthest * (1.0 - left))
        - 0.27 * cost_coming_back
        - 0.0531 * (neighbour_support_value * left)
        - 0.55 * (detour_destination - detour_destination.min())
        - detour_destination / 13.9
        - 0.91 * (farthest ** 2.3)
    )

    return int(unvisited_nodes[np.argmin(score)])
