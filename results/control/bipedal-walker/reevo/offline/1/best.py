import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.925 or bends and ahead[0] < 0.173 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.541)
    contact = np.array([observation[8], observation[13]])
    behind = hips < hips[::-1]
    knees = np.array([observation[6], observation[11]])
    spin = float(observation[1])
    effort = np.array([last_action[0], last_action[2]])
    aloft = contact < 0.509

    hip = (
        0.94 * np.where(swing, 0.055 - legs, hull)
        + 0.35 * hurry
        + 0.0418 * np.clip(np.where(swing, hull, 0.0), -0.2, 0.82)
        + 0.118 * (np.where(behind, 0.319 - hips, 0.0) * contact)
        + 0.059 * spin
        - 0.032 * np.where(swing, 0.0, -0.25 - hips)
        - 0.12 * np.clip(effort, -0.41, 0.17)
        + 0.17 * np.where(swing, 0.0, np.where(aloft, 0.0, hull + spin))
    )
    knee = (
        0.904 * (0.96 - knees) * contact
        + 1.05 * (np.where(swing, 0.274, 0.98) - knees)
        + 0.634 * (0.891 - knees)
        - 0.32 * ahead
        - 0.2 * (np.where(behind, contact, 0.0) * contact)
        + 0.12 * np.tanh(3.4 * (0.87 - knees))
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
