import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the root of the distance and the detour on the way to the destination, taking the smallest score."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.3)

    score = (
        np.sqrt(here)
        - 0.12 * np.sqrt(detour)
        + 0.024 * np.maximum(np.sin(2.6 * here), 1.3)
        - 0.071 * detour
    )

    return int(unvisited_nodes[np.argmin(score)])
