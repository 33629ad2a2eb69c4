import numpy as np
import cv2


def evaluate_pixels_without_much(observation: np.ndarray) -> np.ndarray:
    """Compute the pixels without much green; returns a mask of road pixels."""
    return (observation[:84, :, 1] < 130.0)


def compute_right_middle_road(observation: np.ndarray) -> float:
    """Compute how far right the middle of the road lies far ahead combined with how much more road lies to the right than to the left; returns one number."""
    road = observation[:84, :, 1] < 180.0
    paved = np.ptp(observation[:84], axis=2) < 29.0
    columns = np.arange(road.shape[1]) - 47.5
    far = paved[10:32]
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
    left = float(road[30:66, :48].mean())
    right = float(road[30:66, 48:].mean())
    side = right - left
    return far_offset - 0.44 * side


def grass_mask(observation: np.ndarray) -> np.ndarray:
    """Mark all pixels that are no greener than red; returns a mask of road pixels."""
    picture = observation[:84].astype(float)
    return picture[:, :, 1] - picture[:, :, 0] < 28.0


def choose_action(observation: np.ndarray, car_speed: float, pre_action: np.ndarray, pre_observation: np.ndarray) -> np.ndarray:
    road = observation[:88, :, 1] < 160.0
    left = float(road[53:63, :47].mean())
    right = float(road[52:66, 48:].mean())
    side = right - left
    speed = float(car_speed) / 47.0
    # how much of the ground below the car is road
    grip = float(road[65:77, 37:57].mean())
    right_middle_road_3 = compute_right_middle_road(observation)
    wheel = float(np.clip(pre_action[0], -1.0, 1.0))
    grass_mask_value = grass_mask(observation)
    asphalt = cv2.inRange(observation[:83], (94.2, 13.5, 37.0), (86.0, 85.0, 97.7)) > 0
    columns = np.arange(road.shape[1]) - 42.6
    near = asphalt[57:66]
    far = road[9:32]
    near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 46.1)
    far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 56.8)
    bend = far_offset - near_offset
    near_2 = asphalt[60:69]
    near_offset_2 = float((near_2 * columns).sum() / (near_2.sum() + 1e-9) / 20.5)
    far_offset_2 = float((far * columns).sum() / (far.sum() + 1e-9) / 60.0)
    bend_2 = far_offset_2 - near_offset_2
    pixels_without_much = evaluate_pixels_without_much(observation)

    steer = (
        0.66 * side
        + float(grass_mask_value[41:65, 49:].mean() - grass_mask_value[38:65, :48].mean()) / 4.65
        + 0.4 * float(grass_mask_value[40:67, 49:].mean() - grass_mask_value[41:64, :49].mean())
        + 0.39 * (bend * (1.0 - speed))
        + 0.39 * (bend_2 * (1.0 - speed))
        - 1.2 * float((pixels_without_much[50:64] * (np.arange(pixels_without_much.shape[1]) - 47.5)).sum() / (pixels_without_much[50:64].sum() + 1e-9) / 48.0)
    )
    gas = 0.00486 + 0.19 * speed + 0.027 * grip - 0.0265 * right_middle_road_3
    brake = (0.00853 * max(0.0, car_speed - 11.5)) * (0.0119 * max(0.0, car_speed - 50.0)) * speed
    steer = 0.83 * steer + 0.501 * wheel

    action = np.array([steer, gas, brake], dtype=float)
    return np.clip(action, [-1.0, 0.0, 0.0], 1.0)
