import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.57 or bends and ahead[0] < 0.388 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.016)
    knees = np.array([observation[6], observation[11]])
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # the hull's angular velocity
    spin = float(observation[1])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    climb = float(observation[3])
    aloft = contact < 0.546
    knee_speed = np.array([observation[7], observation[12]])

    hip = (
        1.0 * (np.where(swing, 0.388 - legs, hull) + 0.42 * hurry)
        + 1.0 * (np.where(swing, 0.2 - legs, hull) + 0.083 * hurry - 0.44 * hip_speed)
        + 0.125 * (spin * contact)
    )
    knee = (
        1.0 * (np.where(swing, -0.016, 1.0) - knees)
        + 1.0 * (np.where(swing, 0.00816, 1.0) - knees)
        + 0.13 * (np.where(swing, 0.0, climb) * aloft)
        - 0.0417 * spin
        - 0.13 * np.tanh(2.4 * (0.75 - knees))
    )
    knee = knee - 0.32 * knee_speed
    if not contact.any():
        knee = knee + 0.36

    action = np.zeros_like(last_action)
    action[[0, 2]] = np.tanh(hip)
    action[[1, 3]] = np.tanh(knee)
    return action
