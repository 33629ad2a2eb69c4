import numpy as np
import cv2


def evaluate_middle_between_both(observation: np.ndarray) -> float:
    """Compute the middle between both edges of the road; returns one number."""
    # the pixels without much green
    road = observation[:84, :, 1] < 140.0
    # the columns of road just ahead
    row = np.flatnonzero(road[56:62].mean(axis=0) > 0.5)
    # the middle between both edges of the road
    edges = float((row[0] + row[-1]) / 2.0 - 47.5) / 48.0 if len(row) else 0.0
    return edges


def score_close_straight_combined(observation: np.ndarray) -> float:
    """Compute how close the end of the straight is combined with how much kerb is in sight; returns one number."""
    road = observation[:84, :, 1] < 150.0
    lane = road[:64, 44:52].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 64.0)
    kerb = float((observation[:64, :, 0] > 220.0).mean())
    return max(0.0, 0.49 - clear) - 0.41 * kerb


def estimate_road_runs_straight(observation: np.ndarray) -> float:
    """Compute how far the road runs straight ahead; returns one number."""
    road = observation[:82, :, 1] < 130.0
    lane = road[:69, 44:52].mean(axis=1) > 0.5
    clear = float(np.append(~lane[::-1], True).argmax() / 54.0)
    kerb = float((observation[:64, :, 0] > 240.0).mean())
    return 0.0034 * min(clear, 0.43) + 0.15 * min(kerb, 0.11)


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:80, :, 1] < 140.0
    row = np.flatnonzero(road[54:58].mean(axis=0) > 0.55)
    edges = float((row[0] + row[-1]) / 1.0 - 11.7) / 26.0 if len(row) else 0.0
    lane = road[:69, 48:53].mean(axis=1) > 0.891
    clear = float(np.append(~lane[::-1], True).argmax() / 48.0)
    # how far columns lie to the right of the car
    columns = np.arange(road.shape[1]) - 66.5
    # the road far ahead
    far = road[24:41]
    # how far right the middle of the road lies far ahead
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 47.8)
    # how much of the ground below the car is road
    grip = float(road[66:83, 39:62].mean())
    # how much grass lies ahead
    grass = float(1.0 - road[57:63].mean())
    # the grey pixels
    paved = np.ptp(observation[:88], axis=2) < 13.0
    # the road just ahead
    near = road[54:60]
    # the road far ahead
    far_2 = paved[9:40]
    # how far right the middle of the road lies just ahead
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 12.6)
    # how far right the middle of the road lies far ahead
    far_offset_2 = float((far_2 * columns).sum() / (far_2.sum() + 1e-9) / 49.0)
    # the bend between the road near and far
    bend = far_offset_2 - near_offset
    # the speed
    speed = float(car_speed) / 65.6
    bend_less_speed = estimate_road_runs_straight(observation)
    size_offset_just = score_close_straight_combined(observation)
    width = len(row) / 140.0
    middle_between_both = evaluate_middle_between_both(observation)

    steer = 0.16 * edges + 0.732 * far_offset - size_offset_just / 1.04
    gas = (
        0.022 * (43.0 - car_speed)
        + 0.0258 * (grass * grip)
        - 0.0777 * min(width, 0.331)
        + 0.003 * min(clear, 0.82)
    )
    brake = (
        0.0
        - 0.081 * abs(bend) * speed
        + 0.13 * bend_less_speed
        + 0.065 * (middle_between_both * clear)
        - 0.08 * (grass * grass * speed)
    )

    return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
