import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    """Score candidates with the distance from the current node, how much is lost when a node is left behind, the length of a few greedy steps ahead and the detour on the way to the destination, where the rule picks up nodes that would be stranded, through an exponential appeal that favours remote nodes."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:2].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    near = unvisited_nodes[:8]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 2.1)
    closed = np.where(between > 0.0, between, 9.0)
    glance = np.zeros(len(unvisited_nodes))
    foot = np.arange(len(unvisited_nodes))
    barred = np.zeros_like(between)
    for _ in range(2):
        choice = closed[foot] + barred
        foot = choice.argmin(axis=1)
        glance = glance + choice[np.arange(len(foot)), foot]
        barred[np.arange(len(foot)), foot] = 9.0
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 4.4)
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    sample = unvisited_nodes[::len(unvisited_nodes) // 18 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    ordered = np.sort(between, axis=1)
    nearest = ordered[:, 1]
    successor = closed.argmin(axis=1)
    ahead = nearest + nearest[successor]
    popular = np.bincount(successor[: len(near)], minlength=len(unvisited_nodes))
    stranded = np.maximum(nearest - here, 0.0)
    swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.84, 1.1)
    home = back / distance_matrix[destination_node].mean()
    outpost = unvisited_nodes[np.argmax(home)]
    reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()

    score = (
        here
        - 0.11 * np.exp(-glance / 2.34)
        - (0.98 * (detour / (1.0 + here))) * left
        - 0.134 * ahead
        + np.log1p((popular / popular.max())) / 10.0
        + 0.16 * np.minimum(np.sin(0.48 * here), 1.4)
        - np.maximum(swerve, 1.2) / 9.1
        + 0.13 * ((reach - home) * left)
    )
    score = np.where(stranded > 0.81, score - 0.43, score)

    appeal = np.exp(-score / 1.8)
    appeal = appeal * (1.0 + 0.35 * remote)
    return int(unvisited_nodes[np.argmax(appeal)])
