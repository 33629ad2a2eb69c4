import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, the regret between first and second nearest neighbour, the mean distance to all nodes of the instance and how much is lost when a node is left behind, where the rule postpones dense regions, through an exponential appeal that favours remote nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 22, 0)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    sample = unvisited_nodes[::len(unvisited_nodes) // 5 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:6]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.22)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:8].mean(axis=1)
    typical = distance_matrix[unvisited_nodes, ::3].mean(axis=1) / distance_matrix[0].mean()
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    median = np.median(between, axis=1)

    score = (
        here ** 0.59
        + (0.33 * np.exp(-home / 0.48)) ** 1.3
        - 0.0522 * np.log1p(crowd)
        - 0.912 * (typical ** 0.665)
        - 0.0511 * regret
        - 0.13 * stranded
        - ((crowd - median) * (1.0 - left)) / 8.1
        + 0.23 * np.maximum(remote, 1.3)
    )
    if steps[0] > 0.87 * nearest.mean() * unit:
        score = score + 0.12 * crowd

    appeal = np.exp(-score / 1.1)
    appeal = appeal * (1.0 + 0.28 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
