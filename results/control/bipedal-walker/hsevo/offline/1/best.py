import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray, weight_1: float = 0.4242301447174195, scale_2: float = 0.6935429227474902, weight_3: float = 0.15434814651837084, factor_4: float = 4.42483489900149, weight_5: float = 0.1069283476277787) -> np.ndarray:
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
    lead = 1.0 if ahead[1] > weight_1 or bends and ahead[0] < scale_2 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.3)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    hip_speed = np.array([observation[5], observation[10]])
    twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    hip = (
        1.0 * (np.where(swing, 0.602 - legs, hull) + 0.7848761051711827 * hurry)
        + 1.0 * (np.where(swing, 0.23 - legs, hull) + 0.0716 * hurry - 0.29756240895103947 * hip_speed)
        - weight_3 * hip_speed
        + 0.0634 * twist
        + np.tanh(factor_4 * (weight_5 * (hull * contact)))
    )
    knee = 1.0 * (np.where(swing, 0.00832391287493973, 1.0) - knees - 0.24 * knee_speed)
    action = np.zeros_like(last_action)
    action[[0, 2]] = np.tanh(hip)
    action[[1, 3]] = np.tanh(knee)
    return action
