import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit
    gap = here - here.min()
    near = unvisited_nodes[:17]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.35)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    near_2 = unvisited_nodes[:14]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit, 4.0)
    ordered_2 = np.sort(between_2, axis=1)
    crowd_2 = ordered_2[:, 1:5].mean(axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 19 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    remote_2 = around_2.mean(axis=1) / (around_2.mean() + 1e-9)
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    density = (between < 1.99).mean(axis=1)
    unit_2 = steps[:3].mean() + 1e-9
    near_3 = unvisited_nodes[:20]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 8.8)
    # the spread of distances to near nodes
    spread_2 = between_3.std(axis=1)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    crowd = ordered[:, 1:8].mean(axis=1)

    score = (
        gap
        - (crowd_2 ** 1.86) / 3.94
        - 0.29 * np.sqrt(remote)
        + 0.89 * np.exp(-spread / 3.48)
        - 0.14 * (density / (1.0 + here))
        + 0.3 * density
        + 1.35 * np.exp(-spread_2 / 2.02)
        + 0.56 * np.exp(-home / 2.1)
    )
    if left > 0.69:
        score = score - 0.212 * home
    score[14:] += 0.853
    if steps[0] > 1.4 * nearest.mean() * unit:
        score = score + 0.061 * crowd

    appeal = np.exp(-score / 0.731)
    appeal = appeal * (1.0 + 0.221 * remote_2)
    return int(unvisited_nodes[np.argmax(appeal)])
