import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray, weight_1: float = 4.761780224807575, factor_2: float = 4.314980333317816, weight_3: float = 0.4837875996423847, weight_4: float = 0.046589399624206704, scale_5: float = 0.1541524390449239) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit
    sample = unvisited_nodes[::len(unvisited_nodes) // 22 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    unit_2 = steps[:5].mean() + 1e-9
    here_2 = steps / unit_2
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, weight_1)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    unit_3 = steps[:8].mean() + 1e-9
    here_3 = steps / unit_3
    # the mean distance to a few nearest neighbours
    crowd_2 = ordered[:, 1:8].mean(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, factor_2)
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    score = (
        here
        + here_2
        - weight_3 * home
        + here_3
        - 1.61 * pull
        + weight_4 * (np.sin(1.4 * here) * left)
        - scale_5 * (detour * left)
        - 0.0657 * (reach - home)
    )
    if steps[0] > 1.5468699669975412 * nearest.mean() * unit:
        score = score + 0.116 * crowd
    if steps[0] > 1.6 * nearest.mean() * unit:
        score = score + 0.06827452669253749 * crowd_2
    score = np.where(nearest > 0.88, score - 0.3718140730786144, score)
    ties = np.round(score, 1)
    return int(unvisited_nodes[np.lexsort((home, ties))[0]])
