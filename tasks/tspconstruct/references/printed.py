"""The program that the paper prints for this task, without its comments and annotations."""

import numpy as np


def compute_average_neighbor_distance(current_node, unvisited_nodes, distance_matrix):
    if len(unvisited_nodes) == 0:
        return float("inf")
    total_distance = 0
    for node in unvisited_nodes:
        total_distance += distance_matrix[current_node][node]
    average_distance = total_distance / len(unvisited_nodes)
    return average_distance


def compute_node_diversity(current_node, unvisited_nodes, distance_matrix):
    diversity_scores = np.zeros(len(unvisited_nodes))
    for i, node in enumerate(unvisited_nodes):
        distances_to_others = distance_matrix[node][unvisited_nodes]
        diversity_scores[i] = np.mean(distances_to_others)
    return diversity_scores


def compute_priority_score(
    current_node, node, destination_node, cumulative_distance, distance_matrix
):
    distance_to_destination = distance_matrix[node][destination_node]
    distance_from_current = distance_matrix[current_node][node]
    heuristic_penalty = (
        (np.log1p(distance_to_destination) / (1 + np.log1p(distance_to_destination)))
        if distance_to_destination > 0
        else 0
    )
    priority_score = (
        (1.5 / (distance_from_current + 1))
        + heuristic_penalty
        - (0.3 * cumulative_distance)
    )
    return priority_score


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    cumulative_distance_from_start = 0
    best_node = None
    best_priority_score = -np.inf
    average_neighbor_distance = compute_average_neighbor_distance(
        current_node, unvisited_nodes, distance_matrix
    )
    diversity_scores = compute_node_diversity(
        current_node, unvisited_nodes, distance_matrix
    )
    for index, node in enumerate(unvisited_nodes):
        distance_from_current = distance_matrix[current_node][node]
        priority_score = compute_priority_score(
            current_node,
            node,
            destination_node,
            cumulative_distance_from_start,
            distance_matrix,
        )
        exploration_factor = (diversity_scores[index] ** 1.5) / (
            1 + np.sqrt(distance_from_current)
        )
        proximity_adjustment = (
            distance_from_current - average_neighbor_distance
        ) * 0.05
        modified_score = priority_score + exploration_factor - proximity_adjustment
        if modified_score > best_priority_score:
            best_priority_score = modified_score
            best_node = node
    return best_node if best_node is not None else unvisited_nodes[0]
