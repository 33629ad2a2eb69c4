import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:6])]
    medoid = unvisited_nodes[np.argmin(between.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid]
    spread_3 = between.std(axis=1)
    ordered_2 = np.sort(between, axis=1)
    nearest_2 = ordered_2[:, 1]
    typical = distance_matrix[unvisited_nodes].mean(axis=1)
    ordered_3 = np.sort(between, axis=1)
    nearest_3 = ordered_3[:, 1]
    stranded = np.maximum(nearest_3 - here, 0.0)
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:5])]
    spread = between_2.std(axis=1)
    between_4 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:9])]
    remote = between_4.mean(axis=1)
    median = np.median(between_4, axis=1)

    score = (
        here / here.max()
        + 0.25 * np.minimum(pull, 0.033)
        - (spread_3 ** 1.8) / 1.22
        - 0.39 * np.log1p(nearest_2)
        - np.minimum((0.406 * typical), 0.698)
        + np.exp(-stranded / 0.348) / 3.64
        - (spread ** 1.8) / 2.08
        + 0.717 * ((remote - median) * here)
    )

    best = int(np.argmin(score))
    return int(unvisited_nodes[best])
