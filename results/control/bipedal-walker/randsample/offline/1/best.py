import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.79 or bends and ahead[0] < 0.5 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # the split of the legs
    twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.5

    hip = 0.16 * np.where(swing, 1.0, -0.73) + 0.066 * twist
    knee = (
        0.98 * (np.where(swing, -0.085, 0.85) - knees)
        - 0.2 * knee_speed
        - 0.17 * (ahead * aloft)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
