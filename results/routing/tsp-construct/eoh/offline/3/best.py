import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rank candidates by the distance from the current node, the spread of distances to near nodes, the median distance to near nodes and how much is lost when a node is left behind, where the rule gives the most isolated of the near nodes a bonus, through an exponential appeal that favours remote nodes."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 23, 0)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 24 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    unit_2 = steps[:2].mean() + 1e-9
    near_2 = unvisited_nodes[:6]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 23.0)
    median = np.median(between_2, axis=1)
    # the mean of the shortest steps
    unit_3 = steps[:4].mean() + 1e-9
    near_3 = unvisited_nodes[:6]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_3, 86.6)
    median_2 = np.median(between_3, axis=1)
    # the nearest few nodes
    near_4 = unvisited_nodes[:11]
    # the distance from the current node
    here_2 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 26, 0)
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit_3, 3.4)
    # sorted neighbour distances
    ordered_2 = np.sort(between_4, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered_2[:, 1]
    # how much is lost when a node is left behind
    stranded_2 = np.maximum(nearest_2 - here_2, 0.0)
    # the mean of the shortest steps
    unit_4 = steps[:7].mean() + 1e-9
    # the distance from the current node
    here_3 = steps / unit_4 + np.maximum(np.arange(len(steps)) - 16, 0)
    # the distances from unvisited nodes to the nearest few
    between_5 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit_4, 3.4)
    # sorted neighbour distances
    ordered_3 = np.sort(between_5, axis=1)
    # the distance to the nearest other unvisited node
    nearest_3 = ordered_3[:, 1]
    # how much is lost when a node is left behind
    stranded_3 = np.maximum(nearest_3 - here_3, 0.0)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    between_6 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 8.82)
    median_3 = np.median(between_6, axis=1)
    # the distance from the current node
    here_5 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 21, 0)
    # some unvisited nodes
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 7 + 1]
    # the distances to a sample of the unvisited nodes
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    # the mean distance to the unvisited nodes
    remote_2 = around_2.mean(axis=1) / (around_2.mean() + 1e-9)
    near = unvisited_nodes[:14]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 12.3)
    spread = between.std(axis=1)

    score = (
        here
        - 0.0844 * np.minimum(median, 9.9)
        - 0.0858 * np.minimum(median_2, 24.0)
        + 0.0437 * np.sqrt(stranded_2)
        - 0.0123 * np.sqrt(stranded_3)
        - 0.072 * np.minimum(median_3, 37.1)
        + np.log(here_5 + 0.76)
        + 0.253 * np.exp(-spread / 0.995)
    )
    if left > 0.18:
        score = score - 0.16 * home
    if left > 0.145:
        score = score - 0.512 * home
    if left > 0.12:
        score = score - 0.173 * remote_2

    appeal = np.exp(-score / 3.8)
    appeal = appeal * (1.0 + 0.337 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
