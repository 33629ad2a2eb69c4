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
    lead = 1.0 if ahead[1] > 0.542 or bends and ahead[0] < 0.26 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.15)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which leg is behind
    behind = hips < hips[::-1]
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    aloft = contact < 0.489
    shock = float(observation[3] - prev_observation[3])
    # the split of the legs
    twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])

    hip = (
        1.0 * (np.where(swing, 0.35 - legs, hull) + 0.89 * hurry)
        + 1.0 * (np.where(swing, 0.106 - legs, hull) + 0.18 * hurry - 0.327 * hip_speed)
        - 0.36 * ((hips[::-1] - hips) * aloft)
        - 0.319 * np.where(swing, 0.0, twist)
        + 0.5 * np.clip(pace, -0.536, 0.45)
        - 0.0567 * np.where(swing, pace, 0.0)
    )
    knee = (
        0.098 * np.where(swing, 0.0, np.where(swing, 0.0, 0.98 - knees))
        - 0.0881 * np.where(swing, 0.0, ahead)
        + 1.0 * (np.where(swing, 0.162, 1.0) - knees)
        + 0.4 * np.where(swing, 0.0, shock)
        - 0.18 * np.tanh(7.7 * knee_speed)
        - 0.169 * np.where(swing, 0.431 - knees, 0.0)
    )
    if pace < 0.0291:
        knee = knee + np.where(behind, 0.11 * contact, 0.0)
    if pace < 0.072:
        knee = knee + np.where(behind, 0.81 * contact, 0.0)
    if pace < 0.0112:
        knee = knee + np.where(behind, 0.119 * contact, 0.0)

    action = np.zeros_like(last_action)
    action[[0, 2]] = np.tanh(hip)
    action[[1, 3]] = np.tanh(knee)
    return action
