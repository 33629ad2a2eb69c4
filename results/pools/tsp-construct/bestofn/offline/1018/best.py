import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:8].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.3)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    median = np.median(between, axis=1)
    closed = np.where(between > 0.0, between, 9.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.3, 2.7)
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, 4.8)
    # the length of a few greedy steps ahead
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(3):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()

    score = (
        here ** 0.95
        - 0.1 * (remote ** 2.9)
        - 0.208 * (median * left)
        - 0.162 * np.minimum(swerve, 0.89)
        - 0.138 * np.maximum(swerve, 0.421)
        + 0.38 * np.exp(-trail / 0.67)
        - 0.36 * np.minimum(glance, 0.45)
        - 0.052 * regret
    )

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
