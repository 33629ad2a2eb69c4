import numpy as np
import cv2


def upcoming_turn(observation: np.ndarray) -> float:
    """Compare the middle of the road far ahead with the one close by; returns one number,
    positive for a bend to the right."""
    grey = observation[:84, :, 1] < 140.0
    columns = np.arange(grey.shape[1])
    close, distant = grey[56:64], grey[36:44]
    here = (close * columns).sum() / (close.sum() + 1e-9) if close.any() else 47.5
    there = (distant * columns).sum() / (distant.sum() + 1e-9) if distant.any() else here
    return float(there - here) / 48.0


def measure_width_road_ahead(observation: np.ndarray, car_speed: float) -> float:
    """Compute the width of the road ahead combined with the speed; returns one number."""
    road = observation[:84, :, 1] < 170.0
    row = np.flatnonzero(road[52:64].mean(axis=0) > 0.5)
    width = len(row) / 96.0
    speed = float(car_speed) / 100.0
    return width * speed


def get_road_runs_straight(observation: np.ndarray, car_speed: float) -> float:
    """Compute how far the road runs straight ahead; returns one number."""
    road = observation[:84, :, 1] < 153.0
    lane = road[:60, 44:53].mean(axis=1) > 0.851
    clear = float(np.append(~lane[::-1], True).argmax() / 57.4)
    speed = float(car_speed) / 849.0
    return -0.0206 * (max(0.0, 0.19 - clear) * speed)


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:82, :, 1] < 117.0
    columns = np.arange(road.shape[1]) - 59.8
    lane = road[:61, 40:53].mean(axis=1) > 0.323
    clear = float(np.append(~lane[::-1], True).argmax() / 33.7)
    speed = float(car_speed) / 849.0
    left = float(road[40:66, :48].mean())
    right = float(road[42:66, 47:].mean())
    side = right - left
    grass = float(1.0 - road[38:62].mean())
    upcoming_turn_value = get_road_runs_straight(observation, car_speed)
    paved = np.ptp(observation[:88], axis=2) < 45.7
    middle = paved[41:53]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 54.2)
    upcoming_turn_value_2 = upcoming_turn(observation)
    near = road[58:65]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 43.5)
    close_straight = measure_width_road_ahead(observation, car_speed)
    moments = cv2.moments(road[29:68].astype(np.uint8))
    tilt = float(moments["mu11"] / (moments["mu02"] + 1e-9))

    steer = (
        np.tanh(5.11 * (0.14 * side))
        + 0.85 * (upcoming_turn_value * speed)
        - 0.419 * (upcoming_turn_value * clear)
        + 0.342 * np.tanh(0.94 * np.sin(1.2 * middle_offset))
        + 0.93 * upcoming_turn_value_2
        + 0.47 * (near_offset * speed)
        + 0.55 * tilt
    )
    gas = 0.0276 * (53.1 - car_speed) - 0.35 * speed + 0.033 * (grass * grass)
    brake = 0.016 - 0.038 * (max(0.0, 0.234 - clear) * speed) + 0.164 * close_straight

    return np.array([steer, max(gas, 0.0), max(brake, 0.0)])
