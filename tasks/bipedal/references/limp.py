import numpy as np


def choose_action(observation, last_action, prev_observation):
    """Let the legs hang: the robot sinks to the ground."""
    return np.zeros(4)
