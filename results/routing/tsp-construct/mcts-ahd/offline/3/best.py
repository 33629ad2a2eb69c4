import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    here = distance_matrix[current_node, unvisited_nodes]
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:8])]
    spread = between.std(axis=1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    closed = np.where(between > 0.0, between, 9.0)
    swerve = (closed + here[:closed.shape[1]]).min(axis=1) - here
    # the distance back to the destination
    home = distance_matrix[unvisited_nodes, destination_node]
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:12])]
    warmth = np.exp(-between_2 / 0.179).mean(axis=1)

    score = (
        here
        - 0.704 * (typical ** 1.3)
        - 0.96 * spread
        + nearest / 4.5
        - 0.49 * swerve
        - 0.13 * (home / (1.0 + here))
        + 0.196 * (warmth / (warmth.mean() + 1e-9))
        + np.minimum((here ** 0.98), 0.97)
    )
    score[5:] += 0.172

    return int(unvisited_nodes[np.argmin(score)])
