import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 14, 0)
    gap = here - here.min()
    near = unvisited_nodes[:12]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.3)
    # some unvisited nodes
    sample = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    # the distances to a sample of the unvisited nodes
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 7.5)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    # sorted neighbour distances
    ordered = np.sort(between, axis=1)
    # the distance to the nearest other unvisited node
    nearest = ordered[:, 1]
    # distances among unvisited nodes without loops
    closed = np.where(between > 0.0, between, 9.0)
    # how much is lost when a node is left behind
    stranded = np.maximum(nearest - here, 0.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -1.5, 3.1)
    # the distance to the farthest unvisited node
    farthest = around.max(axis=1) / (around.max() + 1e-9)

    score = (
        gap
        + 1.0 * np.exp(-pull / 1.8)
        - detour / 4.68
        - 0.55 * (remote * left)
        - 0.0169 * (swerve ** 1.2)
        - np.maximum(swerve, 0.94) / 5.49
        - 0.28 * np.minimum(farthest, 0.52)
        + 0.1 * np.log1p(pull)
    )
    score = np.where(stranded > 0.11, score - 0.392, score)
    if left > 0.44:
        score = score - 0.12 * remote

    order = np.argsort(score)
    return int(unvisited_nodes[order[0]])
