import numpy as np
import cv2


def score_fast_road_moves(observation: np.ndarray, car_speed: float, pre_observation: np.ndarray) -> float:
    """Compute how fast the road moves to the right; returns one number."""
    road = observation[:84, :, 1] < 180.0
    columns = np.arange(road.shape[1]) - 47.5
    speed = float(car_speed) / 100.0
    kerb = float((observation[:63, :, 0] > 174.0).mean())
    past = pre_observation[:84, :, 1] < 130.0
    drift = float(((road[50:62] * columns).mean() - (past[48:64] * columns).mean()) / 4.0)
    return -0.159 * (kerb * speed ** 3.0) + 0.012 * (abs(drift) * speed ** 2)


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:84, :, 1] < 150.0
    left = float(road[38:65, :48].mean())
    right = float(road[39:63, 48:].mean())
    side = right - left
    paved = np.ptp(observation[:84], axis=2) < 33.1
    columns = np.arange(road.shape[1]) - 59.6
    speed = float(car_speed) / 130.0
    middle = paved[44:56]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 61.0)
    lane = road[:63, 44:52].mean(axis=1) > 0.133
    clear = float(np.append(~lane[::-1], True).argmax() / 108.0)
    kerb = float((observation[:61, :, 0] > 230.0).mean())
    past = pre_observation[:85, :, 1] < 170.0
    drift = float(((road[53:60] * columns).mean() - (past[45:65] * columns).mean()) / 4.0)
    # the moments of the road's pixels
    moments = cv2.moments(road[20:67].astype(np.uint8))
    # the slant of the road ahead
    tilt = float(moments["mu11"] / (moments["mu02"] + 1e-9))
    speed_combined_with = score_fast_road_moves(observation, car_speed, pre_observation)

    steer = 0.35 * side - 0.12 * (tilt * abs(tilt)) + 0.064 * speed_combined_with
    gas = (
        0.376 * (car_speed < 38.1)
        + 0.021 * ((1.0 - abs(middle_offset)) * (1.0 - abs(middle_offset)))
    )
    brake = (
        0.15 * (clear < 0.063) * speed
        - 0.157 * (kerb * speed ** 2.39)
        + 0.041 * (abs(drift) * speed ** 1.1)
    )
    steer = steer / (1.0 + 0.646 * speed)

    return np.array([np.tanh(steer), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
