import numpy as np


def get_bent_knee_until(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Compute a bent knee until the leg has passed; returns one value per leg."""
    hips = np.array([observation[4], observation[9]])
    knees = np.array([observation[6], observation[11]])
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.83 or bends and ahead[0] < 0.54 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    passed = ahead > 0.79
    return np.where(swing & ~passed, -0.21 - knees, 0.0)


def score_change_hull_angle(observation: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    """Compute the change of the hull's angle; returns one value per leg."""
    tilt = float(observation[0] - prev_observation[0])
    return np.tanh(2.2 * tilt)


def push_off(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Push with the leg behind as long as its foot is on the ground and the walker is slow;
    returns one value per leg."""
    push = np.array([0.0, 0.0])
    behind = 0 if observation[4] < observation[9] else 1
    contact = observation[8] if behind == 0 else observation[13]
    if contact > 0.5 and observation[2] < 0.35:
        push[behind] = 0.47
    return push


def choose_action(observation: np.ndarray, last_action: np.ndarray, prev_observation: np.ndarray) -> np.ndarray:
    hull = float(observation[0])
    pace = float(observation[2])
    hips = np.array([observation[4], observation[9]])
    legs = hips + hull
    ahead = hips - hips[::-1]
    thrust = np.array([last_action[1], last_action[3]])
    bends = thrust[0] < thrust[1]
    lead = 1.0 if ahead[1] > 0.318 or bends and ahead[0] < 0.68 else -1.0
    swing = np.array([lead, -lead]) > 0.0
    hurry = np.where(swing, 1.0, -1.0) * (pace - 0.17)
    contact = np.array([observation[8], observation[13]])
    aloft = contact < 0.84
    knees = np.array([observation[6], observation[11]])
    knee_speed = np.array([observation[7], observation[12]])
    hull_angle = push_off(observation, last_action)
    change_hull_angle = score_change_hull_angle(observation, prev_observation)
    bent_knee_until = get_bent_knee_until(observation, last_action)

    hip = (
        1.0 * (np.where(swing, 0.175 - legs, hull) + 0.713 * hurry)
        + 0.208 * (ahead * aloft)
        + 0.21 * (hull_angle * contact)
        - 0.3 * np.clip(bent_knee_until, -0.32, 0.35)
    )
    knee = (
        1.0 * (np.where(swing, 0.000204, 1.0) - knees - 0.18 * knee_speed)
        - 0.24 * np.tanh(5.4 * (0.69 - knees))
        + 0.3 * np.where(swing, change_hull_angle, 0.0)
    )

    action = np.zeros_like(last_action)
    action[[0, 2]] = hip
    action[[1, 3]] = knee
    return np.clip(action, -1.0, 1.0)
