import numpy as np


def estimate_change_hull_angle(observation: np.ndarray, prev_observation: np.ndarray) -> float:
    """Compute the change of the hull's angle; returns one number."""
    tilt = float(observation[0] - prev_observation[0])
    return float(np.clip(1.6 * tilt, -1.0, 1.0))


def estimate_knee_torques_step(last_action: np.ndarray) -> np.ndarray:
    """Compute the knee torques of the step before; returns one value per leg."""
    thrust = np.array([last_action[1], last_action[3]])
    return thrust


def calculate_distance_target_velocity(observation: np.ndarray) -> np.ndarray:
    """Compute the distance to a target velocity combined with the feet on the ground; returns one value per leg."""
    pace = float(observation[2])
    contact = np.array([observation[8], observation[13]])
    return (pace - 0.25) - 0.4 * contact


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    hip_speed = np.array([observation[5], observation[10]])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.86 or bends and ahead[0] < 0.77 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.173)
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    speeds = calculate_distance_target_velocity(observation)
    change_hull_angle = estimate_change_hull_angle(observation, prev_observation)
    # the change of the hull's angle
    tilt = float(observation[0] - prev_observation[0])
    knee_torques_step = estimate_knee_torques_step(last_action)
    climb = float(observation[3])

    hip = (
        1.0 * (np.where(swing, 0.38 - legs, hull) + 0.94 * hurry - 0.434 * hip_speed)
        + 0.096 * speeds
        + 0.14 * tilt
        + 0.22 * (change_hull_angle * hip_speed)
        - 0.27 * np.clip(knee_torques_step, -0.841, 0.285)
    )
    knee = 1.0 * (np.where(swing, 0.03, 0.787) - knees - 0.22 * knee_speed) - 0.48 * climb
    if pace > 0.64:
        hip = hip - np.where(swing, 0.0, 0.116)

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
