import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.634 or bends and ahead[0] < 0.5 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.26)
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # the hull's angular velocity
    spin = float(observation[1])
    # which feet are in the air
    aloft = contact < 0.5

    hip = (
        1.0 * (np.where(swing, 0.115 - legs, hull) + 0.17 * hurry)
        + 0.1 * (pace - 0.136)
        + 1.0 * (np.where(swing, 0.555 - legs, hull) + 0.343 * hurry - 0.46 * hip_speed)
        + 0.921 * np.clip(hurry, -0.26, 0.25)
        + 0.39 * (np.where(aloft, 0.0, hull + spin) * contact)
    )
    knee = (
        1.0 * (np.where(swing, 0.27, 1.0) - knees - 0.2 * knee_speed)
        - 0.11 * (contact * contact)
        + 0.156 * np.where(swing, 0.0, hull)
        - 0.13 * pace
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
