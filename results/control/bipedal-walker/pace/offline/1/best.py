import numpy as np


def compute_backward_target_angle(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Compute a backward target angle for the standing leg combined with a forward target angle for the free leg; returns one value per leg."""
    hips = np.array([observation[4], observation[9]])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.42 or bends and ahead[0] < 0.62 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    contact = np.array([observation[8], observation[13]])
    aloft = contact < 0.5
    return np.where(swing, 0.0, 0.077 - hips) * np.where(aloft, 0.46 - hips, 0.0)


def estimate_change_hull_angle(observation: np.ndarray, prev_observation: np.ndarray) -> float:
    """Compute the change of the hull's angle; returns one number."""
    tilt = float(observation[0] - prev_observation[0])
    return float(np.clip(1.6 * tilt, -1.0, 1.0))


def rate_longer_step_speed(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Compute a longer step at speed; returns one value per leg."""
    # the forward velocity
    pace = float(observation[2])
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.51 or bends and ahead[0] < 0.49 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.114)
    return 0.16 * hurry


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    # the hull's angle
    hull = float(observation[0])
    # the forward velocity
    pace = float(observation[2])
    # the hip angles
    hips = np.array([observation[4], observation[9]])
    # the angles of the thighs against the vertical
    legs = hips + hull
    # the hip speeds
    hip_speed = np.array([observation[5], observation[10]])
    # how far each leg is ahead of the other
    ahead = hips - hips[::-1]
    # the knee torques of the step before
    thrust = np.array([last_action[1], last_action[3]])
    # whether the left knee bends
    bends = thrust[0] < thrust[1]
    # the swinging leg, until it has come far enough forward
    lead = 1.0 if ahead[1] > 0.78 or bends and ahead[0] < 0.439 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.121)
    # the hip torques of the step before
    effort = np.array([last_action[0], last_action[2]])
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    knee_torques_step = rate_longer_step_speed(observation, last_action)
    backward_target_angle = compute_backward_target_angle(observation, last_action)
    change_hull_angle = estimate_change_hull_angle(observation, prev_observation)

    hip = (
        0.972 * np.where(swing, 0.37 - legs, hull)
        - 0.23 * hip_speed
        - 0.05 * np.tanh(5.2 * effort)
        + 0.044 * legs
        + 0.92 * hurry
        + 0.023 * hip_speed
        + 0.11 * (change_hull_angle * np.array([1.0, -1.0]))
    )
    knee = (
        0.77 * (np.where(swing, -0.0443, 0.86) - knees)
        + 0.085 * np.where(swing, ahead, 0.0)
        + 0.141 * np.tanh(2.6 * contact)
        + 0.27 * np.where(swing, knee_torques_step, 0.0)
        - 0.147 * knee_speed
        - 0.15 * backward_target_angle
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
