import numpy as np
import cv2


def score_right_middle_road(observation: np.ndarray) -> float:
    """Compute how far right the middle of the road lies just ahead; returns one number."""
    road = observation[:84, :, 1] < 180.0
    paved = np.ptp(observation[:84], axis=2) < 50.0
    columns = np.arange(road.shape[1]) - 47.5
    near = paved[54:64]
    return float((near * columns).sum() / (near.sum() + 1e-9) / 57.0)


def evaluate_much_ground_below(observation: np.ndarray, car_speed: float) -> float:
    """Compute how much of the ground below the car is road; returns one number."""
    road = observation[:83, :, 1] < 170.0
    grip = float(road[65:80, 39:56].mean())
    speed = float(car_speed) / 170.0
    return 0.23 * (speed * grip)


def calculate_much_ground_below(observation: np.ndarray, car_speed: float) -> float:
    """Compute how much of the ground below the car is road; returns one number."""
    road = observation[:84, :, 1] < 160.0
    grip = float(road[62:78, 39:60].mean())
    speed = float(car_speed) / 200.0
    return 0.00382 * (24.0 - car_speed) + 0.23 * (speed * grip)


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:85, :, 1] < 170.0
    columns = np.arange(road.shape[1]) - 51.0
    near = road[54:67]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 33.0)
    size_bend_combined = evaluate_much_ground_below(observation, car_speed)
    lane = road[:65, 44:53].mean(axis=1) > 0.54
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    grip = float(road[64:82, 39:57].mean())
    speed = float(car_speed) / 160.0
    # the road some way ahead
    middle = road[44:58]
    # how far right the middle of the road lies some way ahead
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 44.0)
    right_middle_road = score_right_middle_road(observation)
    much_ground_below = calculate_much_ground_below(observation, car_speed)

    steer = (
        np.sign(near_offset) * 0.144
        + 0.175 * size_bend_combined
        + 0.29 * np.sin(1.11 * middle_offset)
        + 0.49 * much_ground_below
    )
    gas = (
        0.0035 * (26.4 - car_speed)
        - 0.26 * (size_bend_combined * clear)
        + 0.399 * (speed * grip)
        + 0.121 * right_middle_road
    )
    brake = 0.0
    if abs(steer) > 0.73:
        gas = min(gas, 0.11)

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
