import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    # the hull's angle
    hull = float(observation[0])
    # the forward velocity
    pace = float(observation[2])
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # the angles of the thighs against the vertical
    legs = hips + hull
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.77 or bends and ahead[0] < 0.76 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.265)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the hip torques of the step before
    effort = np.array([last_action[0], last_action[2]])
    knee_speed = np.array([observation[7], observation[12]])
    spin = float(observation[1])

    hip = 1.0 * (np.where(swing, 0.497 - legs, hull) + 0.0444 * hurry - 0.26 * hip_speed)
    knee = (
        1.0 * (np.where(swing, -0.04, 1.0) - knees)
        - 0.3 * knee_speed
        - 0.126 * np.tanh(1.29 * spin)
        - 0.075 * ahead
    )
    hip = 0.731 * hip + 0.12 * effort
    if pace > 0.26:
        hip = hip - np.where(swing, 0.0, 0.207)
    if pace > 0.098:
        hip = hip - np.where(swing, 0.0, 0.0777)

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
