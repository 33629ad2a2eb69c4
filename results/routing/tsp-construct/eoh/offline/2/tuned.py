import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 12.597404819850496)
    closed = np.where(between > 0.0, between, 6.805703687105186)
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    ordered = np.sort(between, axis=1)
    regret = ordered[:, min(4, ordered.shape[1] - 1)] - ordered[:, 1]
    typical = distance_matrix[unvisited_nodes, ::4].mean(axis=1) / distance_matrix[0].mean()
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    unit_2 = steps[:3].mean() + 1e-9
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 4.124474937590317)
    ordered_2 = np.sort(between_2, axis=1)
    regret_2 = ordered_2[:, min(2, ordered_2.shape[1] - 1)] - ordered_2[:, 1]
    closed_2 = np.where(between_2 > 0.0, between_2, 9.610479795304494)
    successor_2 = closed_2.argmin(axis=1)
    popular_2 = np.bincount(successor_2[: len(near)], minlength=len(unvisited_nodes))

    score = (
        np.log(here + 0.14633931391092847)
        + (0.3334315065839231 * (popular / popular.max())) ** 2
        - 0.13738699607459232 * np.maximum(regret, 0.12472473095335483)
        - 0.17192712362941734 * (typical ** 2.7319107171946917)
        - 0.2536904833666385 * np.minimum(pull, 0.9038322354295104)
        - 0.04042189610593962 * np.maximum(np.sin(8.509167069963494 * here), 0.80075853513473)
        - 0.18183833829109447 * np.maximum(regret_2, 0.11006934202884242)
        + 0.3658668264624661 * (popular_2 / popular_2.max())
    )

    return int(unvisited_nodes[np.argmin(score)])
