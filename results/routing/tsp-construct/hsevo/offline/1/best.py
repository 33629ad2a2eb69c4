import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:3].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 18, 0)
    gap = here - here.min()
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.174587263874734)
    # some unvisited nodes
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 11 + 1]
    # the distances to a sample of the unvisited nodes
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around_2.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(3):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    unit_2 = steps[:3].mean() + 1e-9
    # the distances from unvisited nodes to the nearest few
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 5.350419636744872)
    closed_2 = np.where(between_2 > 0.0, between_2, 9.0)
    glance_3 = np.zeros(len(unvisited_nodes))
    foot_3 = np.arange(len(unvisited_nodes))
    barred_3 = np.zeros_like(between_2)
    for _ in range(2):
        choice_3 = closed_2[foot_3] + barred_3
        foot_3 = choice_3.argmin(axis=1)
        glance_3 = glance_3 + choice_3[np.arange(len(foot_3)), foot_3]
        barred_3[np.arange(len(foot_3)), foot_3] = 9.0
    successor = closed.argmin(axis=1)
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
    spread = between.std(axis=1)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 9 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    density = (between < 1.64844760573295).mean(axis=1)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    crowd = ordered[:, 1:7].mean(axis=1)

    score = (
        gap
        - pull / 2.2459853266819265
        - 0.06700747339609359 * np.maximum(glance, 0.39)
        - 0.0857 * np.maximum(glance_3, 0.3350314012584748)
        + 0.23872119103675546 * (popular / popular.max())
        + 0.98 * np.maximum((reach - home), 0.23862544408989225)
        - 0.05415315439881292 * np.log1p((popular / popular.max()))
        - 0.049 * spread
    )
    if left > 0.79:
        score = score - 0.27627343233893786 * remote
    score = score + 0.17 * (density > density.mean())
    if steps[0] > 1.4 * nearest.mean() * unit:
        score = score + 0.057 * crowd

    finalists = np.argsort(score)[:4]
    follow = score[finalists] + 0.068 * nearest[finalists]
    return int(unvisited_nodes[finalists[np.argmin(follow)]])
