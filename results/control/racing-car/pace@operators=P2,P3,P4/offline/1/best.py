import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:86, :, 1] < 122.0
    left = float(road[52:66, :47].mean())
    right = float(road[39:66, 50:].mean())
    grip = float(road[62:80, 39:56].mean())
    # the grey pixels
    paved = np.ptp(observation[:83], axis=2) < 50.9
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 47.5
    # the road some way ahead
    middle = paved[42:56]
    # how far right the middle of the road lies some way ahead
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 48.0)
    middle_2 = road[36:51]
    middle_offset_2 = float((middle_2 * columns).sum() / (middle_2.sum() + 1e-9) / 40.8)
    moments = cv2.moments(road[40:65].astype(np.uint8))
    tilt = float(moments["mu11"] / (moments["mu02"] + 1e-9))

    steer = (
        0.74 * (right - left) / (right + left + 1e-9)
        - 0.109 * np.tanh(3.01 * np.sin(1.6 * middle_offset))
        - middle_offset_2 / 3.86
        - 0.19 * (tilt * abs(tilt))
    )
    gas = 0.0461 * grip + 0.2 * (car_speed < 22.0)
    brake = 0.0

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
