import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Control the torques of hips and knees with a forward target angle for the swinging leg, a bent knee on the swinging leg, a bent knee on the free leg and a straight knee on the standing leg, within tighter limits."""
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
    lead = 1.0 if ahead[1] > 0.42 or bends and ahead[0] < 0.166 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.13)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.84
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the split of the legs
    twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])

    hip = (
        0.99 * np.where(swing, 0.6 - legs, hull)
        + 0.873 * hurry
        - 0.317 * hip_speed
        - 0.31 * np.tanh(1.9 * twist)
    )
    knee = (
        2.1 * (np.where(swing, -0.051, 0.592) - knees)
        - 0.32 * np.where(aloft, 0.0803 - knees, 0.0)
        - 0.19 * knee_speed
        - np.where(swing, 0.0, (0.141 * np.where(swing, knee_speed, 0.0)))
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.903
    return np.clip(action, -limit, limit)
