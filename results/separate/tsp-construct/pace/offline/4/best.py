import numpy as np


def measure_distance_centre_unvisited(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the centre of the unvisited nodes; returns one value per unvisited node."""
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    return pull


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:2].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    distance_centre_unvisited = measure_distance_centre_unvisited(unvisited_nodes, distance_matrix)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 5.11)

    score = np.log(here + 0.47) - 0.645 * (distance_centre_unvisited * left) - 0.12 * detour

    return int(unvisited_nodes[np.argmin(score)])
