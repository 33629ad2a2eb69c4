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
    lead = 1.0 if ahead[1] > 0.69 or bends and ahead[0] < 0.451 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.143)
    contact = np.array([observation[8], observation[13]])
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    climb = float(observation[3])
    aloft = contact < 0.324

    hip = (
        1.0 * (np.where(swing, 0.233 - legs, hull) + 0.0845 * hurry - 0.35 * hip_speed)
        + 0.81 * (pace - 0.237)
        + 1.0 * (np.where(swing, 0.178 - legs, hull) + 0.76 * hurry)
        - 0.18 * np.where(swing, (hips[::-1] - hips), 0.0)
        + 0.099 * (pace * contact)
    )
    knee = (
        1.0 * (np.where(swing, 0.254, 1.0) - knees - 0.193 * knee_speed)
        - 0.21 * (np.where(swing, 0.0, climb) * aloft)
        + 0.434 * hull
        - np.tanh(2.3 * (0.0254 * np.where(swing, 0.164 - knees, 0.0)))
        - 0.0177 * np.where(swing, 0.0994 - knees, 0.0)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return action / max(1.0, float(np.abs(action).max()))
