import numpy as np


def choose_action(observation, car_speed, pre_action, pre_observation):
    """Steer towards the middle of the road some way ahead, and slow down for bends.

    Road is what is grey: its three channels are almost equal. The farther ahead the road leaves
    the middle of the picture, the sharper the bend, and the lower the speed that is aimed at.
    """
    field = observation[:66].astype(int)
    grey = (
        np.abs(field[:, :, 0] - field[:, :, 1])
        + np.abs(field[:, :, 1] - field[:, :, 2])
        < 20
    )
    target, here = 47.0, 47.0
    bend = 0.0
    for row in range(62, 29, -4):
        columns = np.flatnonzero(grey[row])
        near = columns[np.abs(columns - here) < 18]
        if len(near) == 0:
            break
        here = near.mean()
        if row >= 50:
            target = here
        bend = max(bend, abs(here - 47.0))
    steering = np.clip((target - 47.0) / 14.0, -1.0, 1.0)
    wanted = max(22.0, 62.0 - 1.6 * bend)
    gas = 0.5 if car_speed < wanted and abs(steering) < 0.6 else 0.0
    brake = 0.3 if car_speed > wanted + 8.0 else 0.0
    return np.array([steering, gas, brake])
