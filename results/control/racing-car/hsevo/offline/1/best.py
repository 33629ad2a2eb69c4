import numpy as np
import cv2


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray, weight_1: float = 160.32827825965398, scale_2: float = 19.999829180303475, factor_3: float = 0.5403090349125589, factor_4: float = 47.33983129453452, factor_5: float = 1.0701952317558634) -> np.ndarray:
    # the pixels without much green
    road = observation[:84, :, 1] < 128.0
    # the pixels in the colour of the road
    asphalt = cv2.inRange(observation[:84], (31.0, 70.0, 65.0), (weight_1, 102.0, scale_2)) > 0
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 147.0
    # the road far ahead
    far = asphalt[27:29]
    # how far right the middle of the road lies far ahead
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 67.0)
    # how much of the ground below the car is road
    grip = float(road[57:78, 41:60].mean())
    # the speed
    speed = float(car_speed) / 336.0124907165554
    # how much road lies to the left
    left = float(road[31:68, :50].mean())
    # how much road lies to the right
    right = float(road[31:65, 48:].mean())
    # how much more road lies to the right than to the left
    side = right - left
    # the rows of the lane ahead that are road
    lane = road[:62, 40:55].mean(axis=1) > factor_3
    # how far the road runs straight ahead
    clear = float(np.append(~lane[::-1], True).argmax() / 120.0)
    grass = float(1.0 - road[59:65].mean())
    # the grey pixels
    paved = np.ptp(observation[:84], axis=2) < 79.0
    # the road just ahead
    near = road[54:66]
    # the road far ahead
    far_2 = paved[26:36]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / factor_4)
    # how far right the middle of the road lies far ahead
    far_offset_2 = float((far_2 * columns).sum() / (far_2.sum() + 1e-9) / 48.0)
    # the bend between the road near and far
    bend = far_offset_2 - near_offset
    steer = (
        factor_5 * far_offset
        + 0.604 * side
        + 0.8179512961303675 * (right - left) / (right + left + 1e-9)
    )
    gas = (
        0.0909 * grip
        + 0.0194 * clear
        + 0.10869194176946509 * (grass * clear)
        + 0.00189 * (speed * (1.0 - speed))
        + 0.0735 * (car_speed < 31.216992950369228)
        - 0.016146259562232285 * (grass * grip)
    )
    brake = (
        0.011 * (car_speed > 22.157179658521155)
        + 0.0756 * (speed * (car_speed > 71.63446194925798))
        + 0.0
        - 0.3 * (abs(bend) * speed)
    )
    turn = steer if abs(steer) > 0.0574 else 0.0
    return np.array([np.clip(turn, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
