import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, the distance to the farthest unvisited node, the median distance to near nodes and the detour on the way to the destination, taking the smallest score."""
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 12, 0)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 10 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.627980708932607)
    # the nearest few nodes
    near = unvisited_nodes[:8]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.244144089632329)
    # the median distance to near nodes
    median = np.median(between, axis=1)

    score = (
        np.sqrt(here)
        - 0.1480951803761725 * np.log1p(farthest)
        - 0.1605626771759134 * np.maximum(detour, 0.39741847496031524)
        - 0.13150173812210728 * np.exp(-median / 2.0176983476762826)
        - 0.29824795559714273 * np.sqrt(median)
    )

    return int(unvisited_nodes[np.argmin(score)])
