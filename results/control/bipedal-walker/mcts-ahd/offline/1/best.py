import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.171 or bends and ahead[0] < 0.231 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.129)
    knees = np.array([observation[6], observation[11]])
    climb = float(observation[3])
    effort = np.array([last_action[0], last_action[2]])
    contact = np.array([observation[8], observation[13]])
    passed = ahead > 0.27

    hip = 1.0 * (np.where(swing, 0.255 - legs, hull) + 0.284 * hurry) - 0.13 * effort
    knee = (
        1.0 * (np.where(swing, 0.108, 0.22) - knees)
        - 0.04 * np.tanh(0.636 * np.where(swing, hips, 0.0))
        - 0.021 * np.tanh(0.771 * ahead)
        - 0.078 * np.where(swing, 0.0, climb)
        - 0.15 * np.tanh(1.9 * ahead)
        + 0.15 * (np.where(swing & ~passed, -0.13 - knees, 0.0) * contact)
    )
    if climb < -0.058:
        knee = knee + 0.32 * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.61
    return np.clip(action, -limit, limit)
