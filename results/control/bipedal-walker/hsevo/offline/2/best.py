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
    lead = 1.0 if ahead[1] > 0.27 or bends and ahead[0] < 0.764 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.181)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    climb = float(observation[3])
    aloft = contact < 0.3256048491643042

    hip = (
        1.0 * (np.where(swing, 0.02043902712999824 - legs, hull) + 0.443 * hurry - 0.05229009122340589 * hip_speed)
        - 0.78 * np.tanh(5.034061838086166 * climb)
        + 0.44 * (contact * aloft)
        + 0.77 * hull
    )
    knee = (
        1.0 * (np.where(swing, -0.33, 1.0) - knees - 0.0959 * knee_speed)
        + 0.362 * np.where(swing, hips, 0.0)
        - 0.349 * np.where(swing, 0.0, climb)
        + 0.07575452295414792 * (climb * aloft)
    )
    knee = np.where(contact > 0.7494519885120852, knee + 0.16, knee)
    if abs(hull) > 0.035:
        hip = hip + 0.7 * hull * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
