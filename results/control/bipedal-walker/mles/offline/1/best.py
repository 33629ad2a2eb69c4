import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hips = np.array([observation[4], observation[9]])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.919 or bends and ahead[0] < 1.0 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hull = float(observation[0])
    # the angles of the thighs against the vertical
    legs = hips + hull
    spin = float(observation[1])
    climb = float(observation[3])
    contact = np.array([observation[8], observation[13]])
    aloft = contact < 0.52
    tilt = float(observation[0] - prev_observation[0])

    hip = (
        0.073 * np.where(swing, 1.0, -0.97)
        + 0.548 * np.clip(hull, -0.88, 0.0168)
        + 0.083 * np.tanh(3.1 * legs)
        + 0.29 * np.clip(spin, -0.673, 0.0862)
        + 0.144 * np.tanh(0.642 * np.where(aloft, 0.0, hull + spin))
        + 0.253 * np.where(swing, tilt, 0.0)
    )
    knee = 0.014
    if climb < -0.032:
        knee = knee + 0.4 * contact
    if climb < -0.0574:
        knee = knee + 0.69 * contact
    if climb < -0.041:
        knee = knee + 0.479 * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return action / max(1.0, float(np.abs(action).max()))
