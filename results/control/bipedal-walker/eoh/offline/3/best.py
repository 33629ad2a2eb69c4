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
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.46 or bends and ahead[0] < 0.24 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.09)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which leg is behind
    behind = hips < hips[::-1]
    aloft = contact < 0.63
    spin = float(observation[1])

    hip = (
        1.0 * (np.where(swing, 0.102 - legs, hull) + 0.48 * hurry)
        + (0.091 * (legs * aloft)) * aloft
        + 0.257 * np.where(aloft, 0.0, hull + spin)
        + 0.44 * np.tanh(1.8 * np.where(swing, 0.0, hull))
        - 0.163 * (np.where(behind, 0.7 - hips, 0.0) * contact)
    )
    knee = (
        1.0 * (np.where(swing, -0.0672, 1.0) - knees - 0.078 * knee_speed)
        - np.tanh(3.01 * (0.22 * np.tanh(3.5 * np.where(swing, -0.0506 - knees, 0.0))))
        + 0.038 * (np.where(behind, contact, 0.0) * contact)
    )
    if not contact.any():
        knee = knee + 0.14
    if pace > 0.157:
        hip = hip - np.where(swing, 0.0, 0.297)
    if not contact.any():
        knee = knee + 0.14

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.88
    return np.clip(action, -limit, limit)
