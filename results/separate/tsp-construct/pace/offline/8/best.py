import numpy as np


def get_detour_destination_combined(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the detour on the way to the destination combined with the median distance to near nodes; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:4].mean() + 1e-9
    back = distance_matrix[unvisited_nodes, destination_node]
    direct = distance_matrix[current_node, destination_node]
    detour = np.clip((steps + back - direct) / unit, 0.0, 3.5)
    near = unvisited_nodes[:10]
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 5.1)
    median = np.median(between, axis=1)
    return detour + 0.84 * median


def estimate_distance_farthest_unvisited(current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute the distance to the farthest unvisited node; returns one value per unvisited node."""
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    sample = unvisited_nodes[::len(unvisited_nodes) // 16 + 1]
    around = distance_matrix[np.ix_(unvisited_nodes, sample)]
    farthest = around.max(axis=1) / (around.max() + 1e-9)
    # the nearest few nodes
    near = unvisited_nodes[:10]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 3.84)
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    return -0.11 * farthest + 0.0531 * (spread ** 1.6)


def boundary_score(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Tell nodes on the rim of the unvisited region from inner ones by comparing far and near
    quantiles; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:20])]
    far = np.quantile(links, 0.92, axis=1)
    close = np.quantile(links, 0.31, axis=1)
    return (far - close) / (far + 1e-9)


def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:
    steps = distance_matrix[current_node, unvisited_nodes]
    unit = steps[:6].mean() + 1e-9
    here = steps / unit + np.maximum(np.arange(len(steps)) - 11, 0)
    gap = here - here.min()
    back = distance_matrix[unvisited_nodes, destination_node]
    home = back / distance_matrix[destination_node].mean()
    # the nearest few nodes
    near = unvisited_nodes[:9]
    # the distances from unvisited nodes to the nearest few
    between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, 4.1)
    # the spread of distances to near nodes
    spread = between.std(axis=1)
    detour_destination_combined = get_detour_destination_combined(current_node, destination_node, unvisited_nodes, distance_matrix)
    unit_2 = steps[:4].mean() + 1e-9
    left = len(unvisited_nodes) / distance_matrix.shape[0]
    near_2 = unvisited_nodes[:11]
    between_2 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_2)] / unit_2, 11.3)
    ordered = np.sort(between_2, axis=1)
    crowd = ordered[:, 1:11].mean(axis=1)
    cost_coming_back = boundary_score(unvisited_nodes, distance_matrix)
    sample_2 = unvisited_nodes[::len(unvisited_nodes) // 15 + 1]
    around_2 = distance_matrix[np.ix_(unvisited_nodes, sample_2)]
    farthest_2 = around_2.max(axis=1) / (around_2.max() + 1e-9)
    near_3 = unvisited_nodes[:8]
    between_3 = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near_3)] / unit_2, 2.94)
    ordered_2 = np.sort(between_3, axis=1)
    crowd_2 = ordered_2[:, 1:8].mean(axis=1)
    distance_farthest_unvisited = estimate_distance_farthest_unvisited(current_node, unvisited_nodes, distance_matrix)

    score = (
        gap
        + 0.11 * (spread ** 1.64)
        - 0.16 * detour_destination_combined
        - 0.0723 * (crowd * left)
        - (cost_coming_back * (1.0 - left)) / 10.0
        - 0.132 * farthest_2
        - 0.11 * (crowd_2 ** 1.6)
        + 0.13 * distance_farthest_unvisited
    )

    if len(unvisited_nodes) <= 4:
        return int(unvisited_nodes[np.argmin(here - home)])
    return int(unvisited_nodes[np.argmin(score)])
