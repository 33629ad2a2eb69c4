import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Rate candidates by a combination of the distance from the current node, the median distance to near nodes, how many neighbours lie within a radius and how much is lost when a node is left behind, where the rule postpones dense regions, looking one step further for the finalists."""
    place = np.arange(len(unvisited_nodes))
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 1.9)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the median distance to near nodes
    median = np.median(between, axis=1)
    density = (between < 1.58).mean(axis=1)
    here = steps / unit + np.maximum(np.arange(len(steps)) - 10, 0)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    crowd = ordered[:, 1:5].mean(axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 20 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the mean distance to the unvisited nodes
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = (
        place * 0.238
        - 0.861 * (median * left)
        - 0.525 * stranded
        + 0.13 * np.sqrt((nearest / (crowd + 1e-9)))
    )
    score = score + 0.11 * (density > density.mean())
    if left > 0.53:
        score = score - 0.1 * remote
    score = np.where(nearest > 1.4, score - 0.18, score)

    finalists = np.argsort(score)[:2]
    follow = score[finalists] + 0.11 * nearest[finalists]
    return int(unvisited_nodes[finalists[np.argmin(follow)]])
