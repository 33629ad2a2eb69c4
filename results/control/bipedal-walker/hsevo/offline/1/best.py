import numpy as np


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray, weight_1: float = 0.6468009218299274, factor_2: float = 0.3395652175515485, scale_3: float = 0.2725188931253084, weight_4: float = 0.5277338505200416, factor_5: float = 0.19563181316274192) -> np.ndarray:
    hips = np.array([observation[4], observation[9]])
    hull = float(observation[0])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.5 or bends and ahead[0] < 0.117 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    climb = float(observation[3])
    # the forward velocity
    pace = float(observation[2])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # the change of the hull's angle
    tilt = float(observation[0] - prev_observation[0])
    hip = (
        0.3802762540214646 * (np.array([weight_1, -0.5876186154933377]) - hips)
        + factor_2 * np.clip(np.where(swing, 0.0, hull), -scale_3, 0.82)
        - 0.124189114449919 * np.clip((hips[::-1] - hips), -0.28263292283898245, 0.6956544049416389)
        + weight_4 * (tilt * contact)
    )
    knee = (
        -0.18 * np.where(swing, 0.0, climb)
        + 0.4 * np.where(swing, pace, 0.0)
        - factor_5 * climb
        + 0.18 * climb
    )
    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
