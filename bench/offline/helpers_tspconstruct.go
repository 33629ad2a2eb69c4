package offline

// selectHelpers are helper functions for TSP-Construct in the plain loop style that language
// models often choose, and with parameters that are no inputs of the target (design decision D11).
var selectHelpers = []Phrase{
	{Code: `def node_urgency(node: int, current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Rate how urgent it is to visit a node now: its distance to the next best predecessor minus the distance from the current node."""
    others = unvisited_nodes[unvisited_nodes != node]
    if len(others) == 0:
        return 0.0
    return float(distance_matrix[others, node].min() - distance_matrix[current_node, node])`},
	{Code: `def neighbour_support(node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Average the closeness of the unvisited nodes around one node, each counted by the inverse of one plus its distance."""
    links = distance_matrix[node, unvisited_nodes]
    return float(np.mean(1.0 / (1.0 + @{4~20} * links)))`},
	{Code: `def regret_of_waiting(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how much longer the second cheapest connection of every node is than its cheapest one; returns one value per unvisited node."""
    regrets = np.zeros(len(unvisited_nodes))
    for i, node in enumerate(unvisited_nodes[:@{4|6|8}]):
        links = np.sort(distance_matrix[node, unvisited_nodes[:20]])
        if len(links) > 2:
            regrets[i] = links[2] - links[1]
    return regrets`},
	{Code: `def corridor_penalty(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Penalise nodes by how far they lead off the direct way home; returns one value per unvisited node."""
    direct = distance_matrix[current_node, destination_node]
    via = distance_matrix[current_node, unvisited_nodes] + distance_matrix[unvisited_nodes, destination_node]
    return (via - direct) / (via + 1e-9)`},
	{Code: `def chain_length(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Follow the nearest unvisited neighbour a few times from every node and add up the steps; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{8|10|12}])]
    links = np.where(links > 0.0, links, 9.0)
    target = links.argmin(axis=1)
    step = links.min(axis=1)
    total = step.copy()
    for _ in range(@{2|3|4}):
        target = target[target]
        total = total + step[target] * @{0.3~0.9}
    return total`},
	{Code: `def boundary_score(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Tell nodes on the rim of the unvisited region from inner ones by comparing far and near quantiles; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{10|14|20}])]
    far = np.quantile(links, @{0.7~0.95}, axis=1)
    close = np.quantile(links, @{0.1~0.4}, axis=1)
    return (far - close) / (far.max() + 1e-9)`},
	{Code: `def nearest_link_matrix(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Scale the distances among unvisited nodes by both nodes' nearest-neighbour distances; returns a matrix with one value per pair."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{8|12}])]
    local = np.where(links > 0.0, links, 9.0).min(axis=1)
    return links / (local[:, None] + local[:links.shape[1]] + 1e-9)`},
}
