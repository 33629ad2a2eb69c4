import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.1)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.4)

    score = (
        here
        + 0.073 * (crowd / (1.0 + here))
        - 0.15 * (crowd ** 1.5)
        - 0.12 * np.log1p(typical)
        - 0.12 * np.maximum(detour, 0.94)
    )

    return int(unvisited_nodes[np.argmin(score)])
