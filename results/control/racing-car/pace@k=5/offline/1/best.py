import numpy as np
import cv2


def score_size_bend_combined(observation: np.ndarray, car_speed: float) -> float:
    """Compute the size of the bend combined with whether the car is fast; returns one number."""
    road = observation[:84, :, 1] < 190.0
    asphalt = cv2.inRange(observation[:84], (79.0, 90.0, 90.0), (160.0, 125.0, 125.0)) > 0
    columns = np.arange(road.shape[1]) - 47.5
    near = asphalt[56:66]
    far = road[10:32]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    bend = far_offset - near_offset
    return abs(bend) * (car_speed > 66.0)


def get_fast_road_moves(observation: np.ndarray, pre_observation: np.ndarray) -> float:
    """Compute how fast the road moves to the right; returns one number."""
    road = observation[:84, :, 1] < 120.0
    columns = np.arange(road.shape[1]) - 47.5
    past = pre_observation[:84, :, 1] < 170.0
    drift = float(((road[50:64] * columns).mean() - (past[50:64] * columns).mean()) / 4.0)
    return drift


def score_speed(car_speed: float) -> float:
    """Compute the speed; returns one number."""
    # the speed
    speed = float(car_speed) / 140.0
    return 0.148 * ((car_speed > 34.9) * speed)


def estimate_road_runs_straight(observation: np.ndarray, car_speed: float) -> float:
    """Compute how far the road runs straight ahead; returns one number."""
    # the pixels without much green
    road = observation[:87, :, 1] < 120.0
    # the rows of the lane ahead that are road
    lane = road[:61, 44:56].mean(axis=1) > 0.53
    # how far the road runs straight ahead
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    # the speed
    speed = float(car_speed) / 70.9
    return 0.00859 + 0.22 * (speed * clear)


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    # the pixels without much green
    road = observation[:87, :, 1] < 120.0
    # how much road lies to the left
    left = float(road[41:63, :48].mean())
    # how much road lies to the right
    right = float(road[32:63, 45:].mean())
    # how much more road lies to the right than to the left
    side = right - left
    # the rows of the lane ahead that are road
    lane = road[:61, 44:55].mean(axis=1) > 0.512
    # how far the road runs straight ahead
    clear = float(np.append(~lane[::-1], True).argmax() / 45.7)
    # the speed
    speed_3 = float(car_speed) / 70.9
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 47.0
    # the road just ahead
    near = road[52:68]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 31.7)
    size_bend_combined = score_speed(car_speed)
    asphalt = cv2.inRange(observation[:81], (54.9, 68.0, 94.1), (150.0, 221.0, 91.5)) > 0
    near_2 = asphalt[59:67]
    near_offset_2 = float((near_2 * columns).sum() / (near_2.sum() + 1e-9) / 23.7)
    # the speed
    speed = float(car_speed) / 272.0
    past = pre_observation[:88, :, 1] < 230.0
    drift = float(((road[47:59] * columns).mean() - (past[51:64] * columns).mean()) / 5.3)
    fast_road_moves_2 = score_size_bend_combined(observation, car_speed)
    # the grey pixels
    paved = np.ptp(observation[:90], axis=2) < 9.2
    # the road just ahead
    near_3 = paved[51:61]
    # how far right the middle of the road lies just ahead
    near_offset_3 = float((near_3 * columns).sum() / (near_3.sum() + 1e-9) / 330.0)
    # the road some way ahead
    middle = paved[43:50]
    # how far right the middle of the road lies some way ahead
    middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 43.9)
    fast_road_moves = get_fast_road_moves(observation, pre_observation)
    road_runs_straight = estimate_road_runs_straight(observation, car_speed)

    steer = (
        0.32 * side
        + 0.614 * near_offset
        - (size_bend_combined * clear) / 4.1
        - (fast_road_moves_2 * clear) / 6.0
        + 0.57 * near_offset_3
        + 0.097 * np.sin(3.9 * middle_offset)
        - 0.3 * fast_road_moves
    )
    gas = (
        0.00859
        + 0.22 * (speed_3 * clear)
        + 0.152 * min(abs(near_offset_2), 0.507)
        + 0.00514 * (44.0 - car_speed)
    )
    brake = (
        0.0149 * (car_speed > 33.6)
        + (0.00124 * max(0.0, car_speed - 46.0)) * speed
        + 0.13 * (abs(drift) * speed)
        - 0.062 * (road_runs_straight * speed)
    )

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
