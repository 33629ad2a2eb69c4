import numpy as np
import cv2


def measure_close_straight(observation: np.ndarray, car_speed: float) -> float:
    """Compute how close the end of the straight is; returns one number."""
    road = observation[:84, :, 1] < 180.0
    lane = road[:66, 44:52].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    speed = float(car_speed) / 100.0
    return max(0.0, 0.29 - clear) * max(0.0, 0.29 - clear) * speed


def compute_size_bend(observation: np.ndarray, car_speed: float) -> float:
    """Compute the size of the bend; returns one number."""
    road = observation[:84, :, 1] < 190.0
    columns = np.arange(road.shape[1]) - 47.5
    near = road[58:64]
    far = road[18:40]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    bend = far_offset - near_offset
    speed = float(car_speed) / 100.0
    return abs(bend) * abs(bend) * speed


def rate_bend_between_road(observation: np.ndarray, car_speed: float) -> float:
    """Compute the bend between the road near and far; returns one number."""
    road = observation[:83, :, 1] < 150.0
    columns = np.arange(road.shape[1]) - 31.6
    middle = road[43:53]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 46.8)
    speed = float(car_speed) / 92.0
    asphalt = cv2.inRange(observation[:84], (25.0, 107.0, 90.0), (132.0, 125.0, 140.0)) > 0
    near = asphalt[58:62]
    far = road[17:31]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 42.0)
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    bend = far_offset - near_offset
    return 0.016 * (np.sin(4.38 * middle_offset) * (1.0 - speed)) - 0.0277 * (bend * (1.0 - speed))


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:84, :, 1] < 110.0
    left = float(road[50:64, :46].mean())
    right = float(road[41:69, 48:].mean())
    side = right - left
    columns = np.arange(road.shape[1]) - 27.5
    middle = road[43:51]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 39.2)
    speed = float(car_speed) / 160.0
    close_straight = measure_close_straight(observation, car_speed)
    lane = road[:66, 43:47].mean(axis=1) > 0.585
    clear = float(np.append(~lane[::-1], True).argmax() / 44.9)
    asphalt = cv2.inRange(observation[:88], (24.8, 191.0, 160.0), (100.0, 100.0, 430.0)) > 0
    near = asphalt[53:57]
    far = road[17:33]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 19.0)
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 23.5)
    bend = far_offset - near_offset
    close_straight_2 = compute_size_bend(observation, car_speed)
    bend_between_road = rate_bend_between_road(observation, car_speed)
    kerb = float((observation[:61, :, 0] > 437.0).mean())

    steer = (
        0.62 * side
        - 0.02 * (bend * (1.0 - speed))
        + 0.0319 * (np.sin(3.6 * middle_offset) * (1.0 - speed))
        - np.sin(4.87 * middle_offset) / 6.98
        + 0.692 * close_straight
    )
    gas = (
        0.137 * (car_speed < 18.3)
        + 0.00584 * ((clear > 0.109) * (1.0 - speed))
        + 0.039 * (abs(bend) * clear)
        + 0.0156 * (close_straight_2 * clear)
        + 0.0156 * (close_straight * clear)
    )
    brake = 0.0 * (car_speed > 46.6) - 0.17 * bend_between_road + 0.062 * (kerb * speed ** 1.7)
    if car_speed < 5.3:
        gas, brake = max(gas, 0.228), 0.0
    if car_speed < 11.6:
        gas, brake = max(gas, 0.0988), 0.0
    if car_speed < 5.0:
        gas, brake = max(gas, 0.069), 0.0

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
