import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    # the pixels without much green
    road = observation[:86, :, 1] < 108.0
    # the pixels in the colour of the road
    asphalt = cv2.inRange(observation[:82], (51.1, 28.0, 160.0), (88.0, 15.2, 180.0)) > 0
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 40.0
    # the road just ahead
    near = asphalt[55:64]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 15.0)
    # the speed
    speed = float(car_speed) / 67.2
    # the columns of road just ahead
    row = np.flatnonzero(road[57:62].mean(axis=0) > 0.23)
    # the middle between both edges of the road
    edges = float((row[0] + row[-1]) / 10.0 - 44.0) / 70.0 if len(row) else 0.0
    left = float(road[29:63, :47].mean())
    right = float(road[40:69, 47:].mean())
    side = right - left
    near_3 = road[57:63]
    near_offset_3 = float((near_3 * columns).sum() / (near_3.sum() + 1e-9) / 28.6)
    past = pre_observation[:83, :, 1] < 130.0
    drift = float(((road[55:62] * columns).mean() - (past[54:64] * columns).mean()) / 4.65)
    # the road just ahead
    near_2 = road[57:61]
    # the road far ahead
    far = road[19:40]
    # how far right the middle of the road lies just ahead
    near_offset_2 = float((near_2 * columns).sum() / (near_2.sum() + 1e-9) / 26.1)
    # how far right the middle of the road lies far ahead
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    # the bend between the road near and far
    bend = far_offset - near_offset_2

    steer = (
        0.17 * near_offset
        + 0.62 * side
        - 0.097 * np.clip(near_offset_3, -0.975, 0.17)
        - 0.19 * (bend * (1.0 - speed))
        + 0.276 * edges
    )
    gas = 0.0041 * (6.54 - car_speed) + 0.23 * (car_speed < 49.0) + 0.00763
    brake = 0.0 + 0.336 * (abs(drift) * speed)

    return np.array([steer, max(gas, 0.0), max(brake, 0.0)])
