import numpy as np


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
    lead = 1.0 if ahead[1] > 0.569 or bends and ahead[0] < 0.064 else -1.0
    # which leg swings
    swing = np.array([lead, -lead]) > 0.0
    # a longer step at speed
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.0666)
    # the knee angles
    knees = np.array([observation[6], observation[11]])
    # the knee speeds
    knee_speed = np.array([observation[7], observation[12]])
    # the feet on the ground
    contact = np.array([observation[8], observation[13]])
    ground = float(observation[14:].mean())
    shock = float(observation[3] - prev_observation[3])

    hip = (
        1.0 * (np.where(swing, 0.267 - legs, hull) + 0.35 * hurry - 0.36 * hip_speed)
        - 0.075 * np.clip(ahead, -0.78, 0.16)
        + 1.0 * (np.where(swing, 0.19 - legs, hull) + 0.92 * hurry)
        + np.tanh(1.66 * np.clip((0.17 * np.clip((pace - 0.174), -0.772, 0.47)), -0.529, 0.421))
        - 0.26 * ahead
        - 0.71 * np.clip(np.where(swing, 0.44 - hips, 0.0), -0.136, 0.42)
    )
    knee = (
        1.0 * (np.where(swing, 0.0349, 1.0) - knees - 0.163 * knee_speed)
        - 0.27 * thrust
        - 0.39 * (ahead * contact)
        + 0.051 * (1.0 - ground)
        - 0.22 * np.where(swing, 0.0, shock)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return action / max(1.0, float(np.abs(action).max()))
