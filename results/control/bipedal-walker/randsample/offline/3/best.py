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
    lead = 1.0 if ahead[1] > 0.37 or bends and ahead[0] < 0.86 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.27)
    # the split of the legs
    twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])
    # the hull's angular velocity
    spin = float(observation[1])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.5
    # the knee angles
    knees = np.array([observation[6], observation[11]])

    hip = (
        1.0 * (np.where(swing, 0.23 - legs, hull) + 0.12 * hurry)
        + 0.15 * np.tanh(3.0 * twist)
        - 0.17 * np.where(aloft, 0.0, hull + spin)
    )
    knee = 1.0 * (np.where(swing, 0.085, 1.0) - knees)

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
