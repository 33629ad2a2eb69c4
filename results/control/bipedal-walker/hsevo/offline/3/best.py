import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Control the torques of hips and knees with a longer step at speed, and the hull balanced on the standing leg, a bent knee on the swinging leg, a bent knee on the free leg and a straight knee on the standing leg, within the limits."""
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
    lead = 1.0 if ahead[1] > 0.226 or bends and ahead[0] < 0.35 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.101)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    climb = float(observation[3])
    contact = np.array([observation[8], observation[13]])
    spin = float(observation[1])
    aloft = contact < 0.76

    hip = (
        1.0 * (np.where(swing, 0.511 - legs, hull) + 0.606 * hurry - 0.527 * hip_speed)
        + 1.0 * (np.where(swing, 0.16 - legs, hull) + 0.8138633112870832 * hurry)
        + np.clip((0.33 * ((pace - 0.402) * aloft)), -0.19, 0.47)
        + 0.18 * np.where(aloft, 0.0, hull + spin)
        - 0.25 * np.tanh(1.83 * ahead)
    )
    knee = (
        1.0 * (np.where(swing, 0.0700525127393262, 1.0) - knees - 0.18957485536572416 * knee_speed)
        - 0.889 * climb
        - 0.279 * contact
        + 0.4 * np.where(swing, 0.0, spin)
        + 0.16 * np.tanh(1.99 * ahead)
        + 0.27 * np.where(aloft, -0.075 - knees, 0.0)
        - 0.11 * hull
        - 0.539 * (pace * aloft)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
