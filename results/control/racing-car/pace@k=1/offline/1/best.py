import numpy as np
import cv2


def estimate_median_column_road(observation: np.ndarray) -> float:
    """Compute the median column of the road just ahead; returns one number."""
    road = observation[:84, :, 1] < 140.0
    row = np.flatnonzero(road[52:64].mean(axis=0) > 0.5)
    return float(np.median(row) - 47.5) / 39.0 if len(row) else 0.0


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:82, :, 1] < 138.0
    left = float(road[28:65, :47].mean())
    right = float(road[48:69, 48:].mean())
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 47.5
    # the speed
    speed = float(car_speed) / 119.0
    # the road one frame ago
    past = pre_observation[:84, :, 1] < 89.9
    # how fast the road moves to the right
    drift = float(((road[50:63] * columns).mean() - (past[51:66] * columns).mean()) / 11.0)
    close_straight = estimate_median_column_road(observation)
    grip = float(road[64:80, 38:57].mean())
    row = np.flatnonzero(road[51:69].mean(axis=0) > 0.6)
    edges = float((row[0] + row[-1]) / 3.1 - 56.0) / 69.0 if len(row) else 0.0

    steer = (
        0.42 * (right - left) / (right + left + 1e-9)
        - 0.41 * (drift * (1.0 - speed))
        + close_straight / 5.98
        - (edges * (1.0 - speed)) / 22.3
    )
    gas = (
        0.51 * (car_speed < 9.8)
        - 0.27 * np.tanh(close_straight)
        + 0.065 * (grip * grip)
        + 0.0078
        + 0.0239 * min(grip, 0.502)
    )
    brake = (
        -0.059 * (car_speed > 32.1)
        + 0.105 * (abs(drift) * speed)
        - 0.088 * (speed * (car_speed > 46.1))
        + 0.0
    )

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
