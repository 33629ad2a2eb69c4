import numpy as np
import cv2


def score_much_grass_lies(observation: np.ndarray, car_speed: float) -> float:
    """Compute how much grass lies ahead; returns one number."""
    # the pixels without much green
    road = observation[:84, :, 1] < 180.0
    # how much grass lies ahead
    grass = float(1.0 - road[20:66].mean())
    # the speed
    speed = float(car_speed) / 100.0
    return grass * speed ** 2


def calculate_road_runs_straight(observation: np.ndarray) -> float:
    """Compute how far the road runs straight ahead; returns one number."""
    road = observation[:84, :, 1] < 180.0
    paved = np.ptp(observation[:83], axis=2) < 13.0
    columns = np.arange(road.shape[1]) - 53.1
    near = paved[58:64]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
    lane = road[:63, 44:52].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    # how much road lies to the left
    left = float(road[40:66, :48].mean())
    # how much road lies to the right
    right = float(road[40:66, 48:].mean())
    # how much more road lies to the right than to the left
    side = right - left
    return 0.69 * near_offset + 0.72 * (side * clear)


def get_road_runs_straight(observation: np.ndarray, car_speed: float, pre_action: np.ndarray) -> float:
    """Compute how far the road runs straight ahead; returns one number."""
    road = observation[:84, :, 1] < 180.0
    columns = np.arange(road.shape[1]) - 53.1
    speed = float(car_speed) / 100.0
    lane = road[:63, 44:52].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    pedal = float(np.clip(pre_action[1], 0.0, 1.0))
    near = road[54:66]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
    return -0.019 * (pedal * clear) + 0.14 * (abs(near_offset) * (1.0 - speed))


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:83, :, 1] < 200.0
    paved = np.ptp(observation[:83], axis=2) < 18.0
    columns = np.arange(road.shape[1]) - 51.9
    near = paved[58:63]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 59.8)
    far = paved[11:39]
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 44.6)
    bend = far_offset - near_offset
    speed = float(car_speed) / 446.0
    lane = road[:62, 44:54].mean(axis=1) > 0.763
    clear = float(np.append(~lane[::-1], True).argmax() / 130.0)
    near_2 = road[55:65]
    near_offset_2 = float((near_2 * columns).sum() / (near_2.sum() + 1e-9) / 15.0)
    # how much road lies to the left
    left = float(road[41:66, :47].mean())
    # how much road lies to the right
    right = float(road[39:68, 47:].mean())
    # how much more road lies to the right than to the left
    side = right - left
    road_runs_straight = get_road_runs_straight(observation, car_speed, pre_action)
    road_runs_straight_2 = calculate_road_runs_straight(observation)
    middle = road[41:49]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 121.0)
    much_grass_lies = score_much_grass_lies(observation, car_speed)

    steer = (
        0.98 * near_offset
        + 0.86 * (side * clear)
        - 0.1 * (road_runs_straight * clear)
        + road_runs_straight_2 / 3.0
        + 0.496 * middle_offset
        - much_grass_lies / 11.6
        - 0.31 * (much_grass_lies * clear)
    )
    gas = (
        0.00298
        + 0.34 * (abs(near_offset_2) * (1.0 - speed))
        + 0.0389 * (road_runs_straight * speed)
        + 0.19 * min(clear, 0.34)
        + 0.0037 * ((car_speed < 11.6) * (car_speed < 27.5))
    )
    brake = (
        0.28 * abs(bend) * speed
        - 0.18 * ((car_speed > 125.0) * speed)
        + 0.11 * much_grass_lies
    )

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
