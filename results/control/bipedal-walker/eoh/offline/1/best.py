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
    lead = 1.0 if ahead[1] > 0.76 or bends and ahead[0] < 0.563 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.073)
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    # how far the ground ahead is
    ground = float(observation[15:].mean())
    climb = float(observation[3])
    contact = np.array([observation[8], observation[13]])

    hip = (
        1.0 * (np.where(swing, 0.277 - legs, hull) + 0.71 * hurry - 0.19 * hip_speed)
        - 0.17 * (1.0 - ground)
    )
    knee = (
        1.0 * (np.where(swing, 0.0398, 1.0) - knees - 0.27 * knee_speed)
        - 0.048 * (0.41 - knees)
        - 0.11 * np.tanh(3.0 * np.where(swing, 0.0, climb))
        - 0.35 * np.where(swing, contact, 0.0)
        - 0.13 * (1.0 - ground)
        + 0.0689 * (np.where(swing, 0.0, climb) * contact)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return action / max(1.0, float(np.abs(action).max()))
