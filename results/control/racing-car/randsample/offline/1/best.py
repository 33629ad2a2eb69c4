import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    """Control steering, gas and brake with how far right the middle of the road lies far ahead, how much of the ground below the car is road, the speed and the end of the straight, with a dead zone around straight ahead."""
    # the pixels without much green
    road = observation[:84, :, 1] < 160.0
    # the grey pixels
    paved = np.ptp(observation[:84], axis=2) < 61.0
    # the pixels in the colour of the road
    asphalt = cv2.inRange(observation[:84], (78.0, 90.0, 90.0), (130.0, 125.0, 125.0)) > 0
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 47.5
    # the road far ahead
    far = asphalt[10:32]
    # how far right the middle of the road lies far ahead
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    # the road just ahead
    near = asphalt[54:64]
    # the road far ahead
    far_2 = paved[10:32]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
    # how far right the middle of the road lies far ahead
    far_offset_2 = float((far_2 * columns).sum() / (far_2.sum() + 1e-9) / 48.0)
    # the bend between the road near and far
    bend = far_offset_2 - near_offset
    # the speed
    speed = float(car_speed) / 100.0
    # how much of the ground below the car is road
    grip = float(road[64:80, 38:58].mean())
    # the rows of the lane ahead that are road
    lane = road[:66, 44:52].mean(axis=1) > 0.5
    # how far the road runs straight ahead
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)

    steer = 0.47 * far_offset - 0.19 * ((bend * (1.0 - speed)) * abs((bend * (1.0 - speed))))
    gas = 0.0065 + 0.013 * (grip * (1.0 - speed)) + 0.0086 * min((car_speed < 34.0), 0.6)
    brake = 0.081 * (clear < 0.073) * speed

    turn = steer if abs(steer) > 0.095 else 0.0
    return np.array([np.clip(turn, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
