import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.302 or bends and ahead[0] < 0.952 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.16)
    contact = np.array([observation[8], observation[13]])
    aloft = contact < 0.18
    ground = float(observation[15:].mean())
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    # which leg has passed the other
    passed = ahead > 0.241
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # the change of the hull's angle
    tilt = float(observation[0] - prev_observation[0])

    hip = (
        1.0 * (np.where(swing, 0.33 - legs, hull) + 0.76 * hurry)
        + 0.38 * hurry
        + 0.078 * ((1.0 - ground) * aloft)
        - 0.27 * np.clip(hip_speed, -0.25, 0.22)
        + 0.11 * np.tanh(2.9 * tilt)
    )
    knee = (
        1.0 * (np.where(swing, -0.0487, 1.0) - knees - 0.345 * knee_speed)
        - 0.092 * np.where(swing, (1.0 - ground), 0.0)
    )
    hip = np.where(passed, hip - 0.161, hip)

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.785
    return np.clip(action, -limit, limit)
