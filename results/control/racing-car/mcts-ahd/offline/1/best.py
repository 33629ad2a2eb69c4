import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    # the pixels without much green
    road = observation[:84, :, 1] < 147.0
    # the pixels in the colour of the road
    asphalt = cv2.inRange(observation[:85], (72.1, 62.4, 43.0), (400.0, 170.0, 134.0)) > 0
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 47.0
    # the road just ahead
    near = asphalt[58:60]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 63.0)
    row = np.flatnonzero(road[55:62].mean(axis=0) > 0.52)
    edges = float((row[0] + row[-1]) / 2.7 - 47.5) / 30.1 if len(row) else 0.0
    near_2 = road[55:65]
    near_offset_2 = float((near_2 * columns).sum() / (near_2.sum() + 1e-9) / 48.0)

    steer = np.sign(near_offset) * 0.18 + 0.13 * np.tanh(3.4 * (edges - near_offset_2))
    gas = 0.0091 * (77.0 - car_speed)
    brake = 0.06 * (car_speed > 16.0)

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
