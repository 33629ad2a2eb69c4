import numpy as np


def choose_action(observation, car_speed, pre_action, pre_observation):
    """Let the car roll on from the first nudge."""
    return np.zeros(3)
