import numpy as np


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:7].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 17, 0)
    gap = here - here.min()
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 1.3469477120346267)
    sample = unvisited_nodes[::len(unvisited_nodes) // 13 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    remote = around.mean(axis=1) / (around.mean() + 1e-9)
    sample_3 = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around_3 = distance_matrix[np.ix_(unvisited_nodes, sample_3)]
    farthest = around_3.max(axis=1) / (around_3.max() + 1e-9)
    remote_3 = around_3.mean(axis=1) / (around_3.mean() + 1e-9)
    unit_2 = steps[:12].mean() + 1e-9
    near = unvisited_nodes[:18]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_2, 37.731767906607615)
    density = (between < 1.0).mean(axis=1)
    unit_3 = steps[:9].mean() + 1e-9
    here_3 = steps / unit_3 + np.maximum(np.arange(len(steps)) - 18, 0)
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit_3, 1.6442306299373157)
    ordered_2 = np.sort(between_2, axis=1)
    nearest_2 = ordered_2[:, 1]
    stretch = here_3 / (nearest_2 + 1e-9)
    # the distances from unvisited nodes to the nearest few
    between_4 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 9.867673173098217)
    # how many neighbours lie within a radius
    density_2 = (between_4 < 1.0).mean(axis=1)
    # the most central unvisited node
    medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]
    # the distance to the centre of the unvisited nodes
    pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()

    score = (
        gap
        + 0.1616711638977104 * (detour * left)
        - 0.2733943587818347 * (remote ** 1.9605731342604038)
        + 0.17472870525059103 * np.exp(-farthest / 0.4850941679149513)
        - 0.052049967664168424 * (remote_3 ** 1.0305901385716152)
        + 0.11305942237227837 * np.minimum(stretch, 2.8240077317448518)
        + 0.07592064341367057 * np.sqrt(pull)
        - 0.10519258532727069 * (detour * left)
    )
    score = score + 0.1873914601643992 * (density > density.mean())
    if left > 0.6893446099783881:
        score = score - 0.26709982462413984 * remote
    score = score + 0.07633125223645432 * (density_2 > density_2.mean())

    return int(unvisited_nodes[np.argmin(score[:5])])
