import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    hip_speed = np.array([observation[5], observation[10]])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.56 or bends and ahead[0] < 0.97 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.12)
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.34
    # the vertical velocity
    climb = float(observation[3])

    hip = (
        1.0 * (np.where(swing, 0.343 - legs, hull) + 0.98 * hurry - 0.361 * hip_speed)
        - 0.176 * (np.where(swing, 0.0, 0.35 - hips) * aloft)
        + 0.107 * np.clip(climb, -0.151, 0.22)
        + 0.16 * climb
    )
    knee = (
        1.0 * (np.where(swing, -0.0019, 0.718) - knees)
        - np.where(swing, 0.0, (0.799 * (climb * aloft)))
        - 0.54 * (climb * aloft)
        + 0.059 * np.where(swing, np.where(swing, hips, 0.0), 0.0)
        + 0.042 * (ahead * aloft)
    )
    if pace > 0.38:
        hip = hip - np.where(swing, 0.0, 0.116)
    knee = knee - 0.18 * knee_speed
    knee = knee - 0.16 * knee_speed

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    share = 0.2
    return np.clip((1.0 - share) * action + share * last_action, -1.0, 1.0)
