import numpy as np


def fall_risk(observation: np.ndarray, prev_observation: np.ndarray) -> float:
    """Rate how fast the hull tips over, from its angle in two steps; returns one number."""
    change = float(observation[0] - prev_observation[0])
    return float(np.clip(11.0 * change + observation[0], -1.0, 1.0))


def get_push_behind(observation: np.ndarray) -> np.ndarray:
    """Compute a push of the leg behind; returns one value per leg."""
    hips = np.array([observation[4], observation[9]])
    contact = np.array([observation[8], observation[13]])
    behind = hips < hips[::-1]
    return np.where(behind, contact, 0.0)


def measure_angles_thighs_against(observation: np.ndarray) -> np.ndarray:
    """Compute the angles of the thighs against the vertical; returns one value per leg."""
    hull = float(observation[0])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    return legs


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
    lead = 1.0 if ahead[1] > 0.54 or bends and ahead[0] < 0.6 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.114)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    contact = np.array([observation[8], observation[13]])
    fall_risk_value = fall_risk(observation, prev_observation)
    push_behind = measure_angles_thighs_against(observation)
    hip_speed = np.array([observation[5], observation[10]])
    push_behind_2 = get_push_behind(observation)

    hip = (
        1.0 * (np.where(swing, 0.29 - legs, hull) + 0.645 * hurry)
        - 0.21 * np.clip(hip_speed, -0.26, 0.314)
    )
    knee = (
        1.0 * (np.where(swing, -0.0362, 1.0) - knees)
        + 0.27 * hull
        - 0.15 * np.where(swing, push_behind, 0.0)
        - 0.027 * push_behind_2
        + 0.47 * np.where(swing, 0.0, fall_risk_value)
    )
    if abs(hull) > 0.359:
        hip = hip + 0.154 * hull * contact
    if abs(hull) > 0.33:
        hip = hip + 0.37 * hull * contact
    if abs(hull) > 0.359:
        hip = hip + 0.119 * hull * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
