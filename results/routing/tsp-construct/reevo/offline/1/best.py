import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near = unvisited_nodes[:17]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.7)
    density = (between < 0.901).mean(axis=1)
    near_2 = unvisited_nodes[:13]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit, 19.0)
    density_2 = (between_2 < 1.9).mean(axis=1)
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.13)
    density_3 = (between_4 < 9.23).mean(axis=1)
    here_3 = steps / unit + np.maximum(np.arange(len(steps)) - 7, 0)
    gap_2 = here_3 - here_3.min()
    median = np.median(between, axis=1)
    # some unvisited nodes
    sample_3 = unvisited_nodes[::len(unvisited_nodes) // 23 + 1]
    # the distances to a sample of the unvisited nodes
    around_3 = distance_matrix[np.ix_(unvisited_nodes, sample_3)]
    # the most central unvisited node
    medoid_3 = unvisited_nodes[np.argmin(around_3.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull_3 = distance_matrix[unvisited_nodes, medoid_3] / distance_matrix[medoid_3].mean()
    near_3 = unvisited_nodes[:17]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit, 3.5)
    ordered = np.sort(between_3, axis=1)
    nearest = ordered[:, 1]
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    unit_2 = steps[:2].mean() + 1e-9
    here_2 = steps / unit_2 + np.maximum(np.arange(len(steps)) - 15, 0)

    score = (
        here * left
        + gap_2
        - 0.9 * np.maximum(median, 0.53)
        - 0.113 * pull_3
        - 0.34 * (nearest ** 1.8)
        + 0.072 * np.minimum(spread, 1.4)
        + here_2 * left
    )
    score = score + 0.13 * (density > density.mean())
    score = score + 0.22 * (density_2 > density_2.mean())
    score = score + 0.24 * (density_3 > density_3.mean())

    return int(unvisited_nodes[np.argmin(score)])
