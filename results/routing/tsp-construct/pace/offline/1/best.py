import numpy as np


def get_mean_distance_nodes(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to all nodes of the instance; returns one value per unvisited node."""
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    return np.exp(-typical / 0.45)


def rate_distance_tour_built(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the tour built so far; returns one value per unvisited node."""
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1)
    return (trail / (trail.mean() + 1e-9)) / 9.01


def rate_clear_nearest_choice(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Compute how clear the nearest choice is; returns one number."""
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    return float(here.min() / (here.mean() + 1e-9))


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    gap = here - here.min()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    home = distance_matrix[unvisited_nodes, destination_node]
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:12])]
    remote_2 = between_2.mean(axis=1)
    distance_tour_built = rate_distance_tour_built(unvisited_nodes, distance_matrix)
    # the mean distance to all nodes of the instance
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    between_3 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:13])]
    remote_3 = between_3.mean(axis=1)
    clear_nearest_choice = rate_clear_nearest_choice(current_node, unvisited_nodes, distance_matrix)
    mean_distance_nodes = get_mean_distance_nodes(unvisited_nodes, distance_matrix)

    score = (
        gap
        - 0.715 * (remote_2 / (1.0 + here))
        - distance_tour_built / 3.0
        - 0.36 * np.sqrt(typical)
        - (reach * left) / 24.0
        - 0.237 * (remote_3 / (1.0 + here))
        - 0.62 * (clear_nearest_choice * home)
        - 0.46 * mean_distance_nodes
    )

    return int(unvisited_nodes[np.argmin(score)])
