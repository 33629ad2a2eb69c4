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
    lead = 1.0 if ahead[1] > 0.94 or bends and ahead[0] < 0.0704 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.0839)
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    contact = np.array([observation[8], observation[13]])
    ground = float(observation[14:].mean())
    climb = float(observation[3])
    aloft = contact < 0.5
    behind = hips < hips[::-1]
    free = np.where(contact == contact[::-1], behind, aloft)

    hip = (
        1.0 * (np.where(swing, 0.53 - legs, hull) + 0.7 * hurry - 0.46 * hip_speed)
        + 0.0134 * np.tanh(3.8 * hurry)
        + 0.097 * np.where(swing, hull, 0.0)
        - 0.14 * ((pace - 0.34) * contact)
        - 0.049 * np.where(free, 0.6 - hips, 0.0)
    )
    knee = (
        1.0 * (np.where(swing, 0.00223, 1.0) - knees - 0.273 * knee_speed)
        - 0.2 * np.where(swing, hips, 0.0)
        - 0.164 * (1.0 - ground)
    )
    if climb < -0.101:
        knee = knee + 0.119 * contact
    if climb < -0.12:
        knee = knee + 0.22 * contact
    if climb < -0.112:
        knee = knee + 0.231 * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = np.tanh(hip)
    action[[1, 3]] = np.tanh(knee)
    return action
