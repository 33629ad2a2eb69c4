import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Control the torques of hips and knees with a longer step at speed, and the hull balanced on the standing leg, a bent knee on the swinging leg and a straight one on the other, a bent knee on the swinging leg and a bent knee on the free leg, within tighter limits."""
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
    lead = 1.0 if ahead[1] > 0.93 or bends and ahead[0] < 0.784 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.247)
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the hip torques of the step before
    effort = np.array([last_action[0], last_action[2]])
    # the vertical velocity
    climb = float(observation[3])

    hip = (
        np.clip((1.0 * (np.where(swing, 0.21 - legs, hull) + 0.163 * hurry)), -0.592, 0.36)
        - 0.025 * np.tanh(3.9 * effort)
        - 0.15 * np.clip(np.where(swing, 0.55 - legs, 0.0), -0.14, 0.172)
    )
    knee = (
        1.0 * (np.where(swing, 0.15, 1.0) - knees - 0.11 * knee_speed)
        - 0.0775 * (0.32 - knees)
        - 0.088 * contact
        - 0.17 * np.tanh(1.9 * climb)
    )
    hip = 0.54 * hip + 0.21 * effort
    hip = 0.54 * hip + 0.26 * effort
    hip = 0.14 * hip + 0.21 * effort

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.577
    return np.clip(action, -limit, limit)
