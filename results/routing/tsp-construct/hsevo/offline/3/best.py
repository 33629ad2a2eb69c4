import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    # the distance from the current node
    here = distance_matrix[current_node, unvisited_nodes]
    # the distances from unvisited nodes to the nearest few
    between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    # a kernel density of unvisited nodes
    warmth = np.exp(-between / 0.258).mean(axis=1)
    ordered = np.sort(between, axis=1)
    # the regret between first and second nearest neighbour
    regret = ordered[:, min(9, ordered.shape[1] - 1)] - ordered[:, 1]
    crowd_2 = ordered[:, 1:2].mean(axis=1)
    home = distance_matrix[unvisited_nodes, destination_node]
    # the distances from unvisited nodes to the nearest few
    between_2 = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:10])]
    ordered_2 = np.sort(between_2, axis=1)
    crowd = ordered_2[:, 1:7].mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)

    score = (
        here ** 0.8228915958025649
        + here
        - (0.6255801153438073 * (regret / (1.0 + here))) * (1.0 - left)
        + 0.7383330120717981 * warmth
        - (0.133 * np.log1p(warmth)) * (1.0 - left)
        - 0.4128887965966813 * np.minimum(crowd_2, 0.02963416860928586)
        + 0.12002295426620713 * np.minimum(crowd, 0.37698512532763223)
        - home / 2.628777657816432
    )
    score = np.where(stranded > 0.14, score - 0.35, score)

    ties = np.round(score, 2)
    return int(unvisited_nodes[np.lexsort((home, ties))[0]])
