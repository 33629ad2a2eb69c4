import numpy as np


def rate_distance_straight_knee(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Compute the distance to a straight knee combined with how far each leg is ahead of the other; returns one value per leg."""
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.28 or bends and ahead[0] < 0.31 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    return np.where(swing, (0.72 - knees), 0.0) * ahead


def measure_distance_straight_knee(observation: np.ndarray) -> np.ndarray:
    """Compute the distance to a straight knee; returns one value per leg."""
    knees = np.array([observation[6], observation[11]])
    return (0.64 - knees)


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Control the torques of hips and knees with a fixed split of the legs, a bent knee on the swinging leg, a bent knee on the free leg and a straight knee on the standing leg, helped by rate_distance_straight_knee and measure_distance_straight_knee, blended with the last torques."""
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # the hull's angle
    hull = float(observation[0])
    # the angles of the thighs against the vertical
    legs = hips + hull
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.25 or bends and ahead[0] < 0.866 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    hull_angle = rate_distance_straight_knee(observation, last_action)
    # the hull's angular velocity
    spin = float(observation[1])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    # which feet are in the air
    aloft = contact < 0.5
    distance_straight_knee_2 = measure_distance_straight_knee(observation)

    hip = (
        0.89 * (np.array([0.128, -0.16]) - hips)
        + 0.0849 * hull_angle
        + 0.042 * (spin * aloft)
        - 0.354 * np.where(swing, distance_straight_knee_2, 0.0)
        + 0.23 * np.clip(legs, -0.0385, 0.47)
        - 0.047 * np.where(swing, hull, 0.0)
    )
    knee = 0.991 * (0.84 - knees) - 0.354 * np.where(swing, 0.0, spin)

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    share = 0.11
    return np.clip((1.0 - share) * action + share * last_action, -1.0, 1.0)
