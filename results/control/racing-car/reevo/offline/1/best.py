import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    # the pixels without much green
    road = observation[:84, :, 1] < 150.0
    # how much road lies to the left
    left = float(road[40:64, :52].mean())
    # how much road lies to the right
    right = float(road[30:66, 48:].mean())
    # how much more road lies to the right than to the left
    side = right - left
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 71.0
    # the road just ahead
    near = road[55:66]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 46.0)
    paved = np.ptp(observation[:84], axis=2) < 119.0
    middle = paved[38:58]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 47.1)
    grip = float(road[64:79, 33:60].mean())
    # the speed
    speed = float(car_speed) / 98.0
    lane = road[:64, 42:53].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    far = paved[26:32]
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 50.0)

    steer = (
        0.39 * side
        + np.sign(near_offset) * 0.0543
        + 0.39 * (right - left) / (right + left + 1e-9)
        - 0.45 * far_offset
    )
    gas = (
        0.00986
        + 0.355 * (car_speed < 9.3)
        + 0.18 * ((1.0 - abs(middle_offset)) * grip)
        + 0.27 * abs(near_offset)
    )
    brake = (
        0.0
        - 0.038 * (speed * speed * speed)
        + 0.097 * (speed * (car_speed > 45.7))
        - 0.15 * (max(0.0, 0.15 - clear) * speed)
    )

    action = np.array([steer, gas, brake], dtype=float)
    return np.clip(action, [-0.68, 0.0, 0.0], [0.39, 0.23, 0.5])
