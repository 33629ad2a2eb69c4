import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray, factor_1: float = 2.5156889676578382, scale_2: float = 0.018165694130853612, scale_3: float = 0.12630164161575852, weight_4: float = 0.32366740730475996, scale_5: float = 0.3129088164875835) -> int:
    # the lengths of all possible steps
    steps = distance_matrix[current_node, unvisited_nodes]
    # the mean of the shortest steps
    unit = steps[:2].mean() + 1e-9
    # the distance from the current node
    here = steps / unit + np.maximum(np.arange(len(steps)) - 21, 0)
    # the nearest few nodes
    near = unvisited_nodes[:12]
    # the share of nodes left
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.3)
    # the spread of distances to near nodes
    spread = between_2.std(axis=1)
    seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)
    trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, factor_1)
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.7435252803363506)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    stranded = np.maximum(nearest - here, 0.0)
    # some unvisited nodes
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 13 + 1]
    # the distances to a sample of the unvisited nodes
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    # the mean distance to the unvisited nodes
    remote_2 = around_2.mean(axis=1) / (around_2.mean() + 1e-9)
    # the lengths of the ways back
    back = distance_matrix[unvisited_nodes, destination_node]
    # the distance back to the destination
    home = back / distance_matrix[destination_node].mean()
    # the unvisited node farthest from the destination
    outpost = unvisited_nodes[np.argmax(home)]
    # the distance to the farthest outpost
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    # the mean distance to a few nearest neighbours
    crowd = ordered[:, 1:7].mean(axis=1)
    # the median distance to near nodes
    median = np.median(between, axis=1)
    score = (
        np.log(here + 0.94)
        + np.minimum((scale_2 * (spread * (1.0 - left))), 9.52)
        - 0.39 * np.sqrt(trail)
        - (scale_3 * nearest) * left
        + weight_4 * (reach * (1.0 - left))
        + 0.96 * np.maximum((crowd - median), 0.689)
        + 0.071 * np.minimum(home, 1.7)
    )
    score = np.where(stranded > 0.7691185204390467, score - 0.11, score)
    score = np.where(stranded > 0.7271737405511545, score - 0.23450031775154503, score)
    score = np.where(here <= 1.9 * here.min(), score, score + 2.5)
    appeal = np.exp(-score / 2.484717124111075)
    appeal = appeal * (1.0 + scale_5 * remote_2)
    return int(unvisited_nodes[np.argmax(appeal)])
