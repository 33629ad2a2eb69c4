import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:8].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the extra length over the shortest step
    gap = here - here.min()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.8558931687511526)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    crowd = ordered[:, 1:5].mean(axis=1)
    # how many neighbours lie within a radius
    density = (between < 1.1).mean(axis=1)
    unit_2 = steps[:2].mean() + 1e-9
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 6.9)
    ordered_2 = np.sort(between_2, axis=1)
    crowd_2 = ordered_2[:, 1:6].mean(axis=1)
    here_2 = steps / unit_2
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 21 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = (
        gap
        + 0.014424326554409984 * (nearest / (crowd + 1e-9))
        + 1.0 * np.log1p(density)
        - 0.13 * (crowd_2 ** 2.2323012812938563)
        + here_2
        - 0.97 * np.sqrt(farthest)
        - 0.9753825569353132 * (home * (1.0 - left))
    )
    if steps[0] > 1.0 * nearest.mean() * unit:
        score = score + 0.167413778558496 * crowd
    if left > 0.218:
        score = score - 0.098 * remote
    score[8:] += 4.483380360280299

    return int(unvisited_nodes[np.argmin(score)])
