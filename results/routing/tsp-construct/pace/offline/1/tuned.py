import numpy as np


def rate_mean_distance_nearest_3(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the mean distance to a few nearest neighbours combined with the balance between the outpost and the way home; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    near = unvisited_nodes[:16]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.109963305904563)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:7].mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    return crowd - 0.42116006357790364 * (reach - home)


def compute_distance_farthest_unvisited(destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the farthest unvisited node combined with the distance back to the destination; returns one value per unvisited node."""
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 14 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    return farthest + 0.3883119656089732 * home


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:3].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 16, 0)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 6.642507983559713)
    ordered = np.sort(between, axis=1)
    crowd = ordered[:, 1:4].mean(axis=1)
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the mean of the shortest steps
    unit_2 = steps[:4].mean() + 1e-9
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 6.652084565775053)
    ordered_2 = np.sort(between_2, axis=1)
    crowd_2 = ordered_2[:, 1:7].mean(axis=1)
    much_lost_when = rate_mean_distance_nearest_3(current_node, destination_node, unvisited_nodes, distance_matrix)
    distance_farthest_unvisited = compute_distance_farthest_unvisited(destination_node, unvisited_nodes, distance_matrix)
    # the mean of the shortest steps
    unit_3 = steps[:2].mean() + 1e-9
    # the nearest few nodes
    near_2 = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_3, 6.490872170542794)
    ordered_3 = np.sort(between_3, axis=1)
    crowd_3 = ordered_3[:, 1:5].mean(axis=1)
    # the nearest few nodes
    near_3 = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 3.036915854223136)
    ordered_4 = np.sort(between_4, axis=1)
    crowd_4 = ordered_4[:, 1:5].mean(axis=1)

    score = (
        here
        - 1.2143399304498623 * np.log1p(crowd_2)
        - 0.1516054760331843 * (much_lost_when * left)
        - 0.4717983784357479 * (distance_farthest_unvisited - distance_farthest_unvisited.min())
        + 0.10612516957318915 * np.minimum(crowd, 0.7369850597086738)
        + 0.16847164058749625 * np.sin(0.6703059988716511 * here)
        - 0.7666353534133021 * np.log1p(crowd_3)
        - 0.14027603910211148 * np.log1p(crowd_4)
    )
    score[11:] += 2.391650597029177
    score[11:] += 2.511522914832693

    return int(unvisited_nodes[np.argmin(score[:7])])
