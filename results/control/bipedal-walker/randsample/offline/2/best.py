import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Control the torques of hips and knees with a forward target angle for the swinging leg, bent knees, a bent knee on the swinging leg and a bent knee on the free leg, within the limits."""
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
    lead = 1.0 if ahead[1] > 0.54 or bends and ahead[0] < 0.68 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.18)
    # which leg is behind
    behind = hips < hips[::-1]
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])

    hip = (
        1.2 * np.where(swing, 0.41 - legs, hull)
        + 0.42 * hurry
        - 0.3 * hip_speed
        - 0.19 * np.where(behind, 0.46 - hips, 0.0)
    )
    knee = 0.66 * (np.where(swing, 0.19, 0.87) - knees) - 0.2 * knee_speed

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
