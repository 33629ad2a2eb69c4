import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:82, :, 1] < 180.0
    columns = np.arange(road.shape[1]) - 48.8
    near = road[55:64]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 36.0)
    # the columns of road just ahead
    row = np.flatnonzero(road[52:61].mean(axis=0) > 0.356)
    # the width of the road ahead
    width = len(row) / 100.0
    edges = float((row[0] + row[-1]) / 2.14 - 54.0) / 33.0 if len(row) else 0.0
    # the speed
    speed = float(car_speed) / 33.0
    middle = road[46:50]
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 37.0)
    lane = road[:62, 45:57].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 35.0)

    steer = 0.455 * near_offset + 0.46 * (middle_offset * clear) + 0.87 * edges
    gas = 0.24 * (car_speed < 13.0) + 0.12 * width
    brake = 0.0 * speed + 0.0

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
