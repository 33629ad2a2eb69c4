import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:4].mean() + 1e-9
    # the distance from the current node
    here = steps / unit
    # the extra length over the shortest step
    gap = here - here.min()
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the direct way to the destination
    direct = distance_matrix[current_node, destination_node]
    # the detour on the way to the destination
    detour = np.clip((steps + back - direct) / unit, 0.0, 1.98)
    # the nearest few nodes
    near = unvisited_nodes[:14]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.35)
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # the nearest successor
    successor = closed.argmin(axis=1)
    # how many nodes have a candidate as their nearest neighbour
    popular = np.bincount(successor, minlength=len(unvisited_nodes))
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:4].mean(axis=1)
    # the mean of the shortest steps
    unit_2 = steps[:5].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:15]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 2.03)
    # sorted neighbour distances
    ordered_2 = np.sort(between_2, axis=1)
    # the mean distance to a few nearest neighbours
    crowd_2 = ordered_2[:, 1:7].mean(axis=1)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the mean of the shortest steps
    unit_4 = steps[:3].mean() + 1e-9
    # the nearest few nodes
    near_4 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_4)] / unit_4, 9.3)
    # the median distance to near nodes
    median = np.median(between_4, axis=1)
    # the distance to the nearest other unvisited node
    nearest_2 = ordered[:, 1]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)

    score = (
        gap
        - 0.13 * detour
        + 0.065 * np.log1p((popular / popular.max()))
        - 0.132 * (crowd ** 1.6)
        - 0.099 * (crowd_2 ** 1.94)
        - 0.0853 * (farthest ** 1.5)
        - 0.133 * (median ** 1.53)
        - 0.28 * (remote / (1.0 + here))
    )

    finalists = np.argsort(score)[:4]
    follow = score[finalists] + 0.11 * nearest_2[finalists]
    return int(unvisited_nodes[finalists[np.argmin(follow)]])
