import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # the hull's angle
    hull = float(observation[0])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.5
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.393 or bends and ahead[0] < 0.41 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # the angles of the thighs against the vertical
    legs = hips + hull
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # how far the ground ahead is
    ground = float(observation[15:].mean())
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    pace = float(observation[2])

    hip = (
        0.26 * (np.array([0.254, 0.12]) - hips)
        + 2.4 * np.where(swing, 0.433 - legs, hull)
        - 0.41 * hip_speed
        - 0.0592 * (hull * aloft)
        + 0.0924 * np.where(swing, 0.0, (hips[::-1] - hips))
        + 0.0376 * ((pace - 0.684) * aloft)
    )
    knee = (
        0.879 * (np.where(swing, -0.000355, 0.985) - knees)
        - 0.047 * np.tanh(0.713 * (1.0 - ground))
        - 0.147 * knee_speed
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
