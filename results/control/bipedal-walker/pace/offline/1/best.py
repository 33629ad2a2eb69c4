import numpy as np


def get_forward_velocity(observation: np.ndarray) -> np.ndarray:
    """Compute the forward velocity; returns one value per leg."""
    # the forward velocity
    pace = float(observation[2])
    return pace


def score_change_hull_angle(observation: np.ndarray, prev_observation: np.ndarray) -> float:
    """Compute the change of the hull's angle; returns one number."""
    tilt = float(observation[0] - prev_observation[0])
    return float(np.clip(1.8 * tilt, -1.0, 1.0))


def get_hull_angle_angular(observation: np.ndarray) -> np.ndarray:
    """Compute the hull's angle and angular velocity on the ground; returns one value per leg."""
    # the hull's angle
    hull = float(observation[0])
    # the hull's angular velocity
    spin = float(observation[1])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.5
    return np.where(aloft, 0.0, hull + spin)


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
    lead = 1.0 if ahead[1] > 0.611 or bends and ahead[0] < 0.0504 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.14)
    forward_velocity = get_forward_velocity(observation)
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    ground = float(observation[20:].mean())
    aloft = contact < 0.682
    # the change of the hull's angle
    tilt = float(observation[0] - prev_observation[0])
    change_hull_angle = score_change_hull_angle(observation, prev_observation)
    # the vertical velocity
    climb = float(observation[3])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    close_ground_ahead_2 = get_hull_angle_angular(observation)

    hip = (
        1.0 * (np.where(swing, 0.0402 - legs, hull) + 0.092 * hurry)
        + 0.8 * tilt
        - 0.11 * np.where(swing, (1.0 - ground), 0.0)
        + 0.02 * np.where(swing, 0.0, forward_velocity)
        - 0.0821 * ((pace - 0.203) * aloft)
    )
    knee = (
        0.12 * change_hull_angle
        + 0.186 * (climb * aloft)
        + 0.155 * np.where(swing, 0.0, pace)
        - 0.0231 * np.where(swing, close_ground_ahead_2, 0.0)
    )
    if climb < -0.0468:
        knee = knee + 0.11 * contact
    knee = knee - 0.067 * knee_speed
    if climb < -0.0738:
        knee = knee + 0.14 * contact

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    limit = 0.46
    return np.clip(action, -limit, limit)
