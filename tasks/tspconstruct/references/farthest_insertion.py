import numpy as np

after = {}


def plan(distance):
    """Farthest insertion: the city farthest from the tour goes where it adds least."""
    tour = np.array(np.unravel_index(distance.argmax(), distance.shape))
    gap = distance[tour].min(axis=0)  # to the nearest city of the tour
    while len(tour) < len(distance):
        city = gap.argmax()
        there, back = distance[city, tour], distance[city, np.roll(tour, -1)]
        added = there + back - distance[tour, np.roll(tour, -1)]
        tour = np.insert(tour, added.argmin() + 1, city)
        gap = np.minimum(gap, distance[city])
    return tour


def select_next_node(current_node, destination_node, unvisited_nodes, distance_matrix):
    """Plan a tour in the first call of an instance, and follow it from then on."""
    if current_node == destination_node:
        tour = plan(distance_matrix)
        after.update(zip(tour, np.roll(tour, -1)))
    return after[current_node]
