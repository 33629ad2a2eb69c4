import numpy as np


def choose_action(observation, last_action, prev_observation):
    """Push back with the front leg once it stands, and swing the other one forward.

    Each joint is pulled towards an angle, and the hips also against the hull's tilt.
    """
    hull, spin = observation[0], observation[1]
    hip, knee = observation[[4, 9]], observation[[6, 11]]
    hip_speed, knee_speed = observation[[5, 10]], observation[[7, 12]]
    stands = observation[[8, 13]] > 0
    front = int(hip[1] > hip[0])
    stance = front if stands[front] else 1 - front
    torques = np.zeros(4)
    for leg in (0, 1):
        hip_goal, knee_goal = (-0.15, 0.56) if leg == stance else (1.33, -0.68)
        swing = 1.68 * (hip_goal - hip[leg]) - 0.5 * hip_speed[leg]
        torques[2 * leg] = swing + 1.09 * hull + 1.13 * spin
        torques[2 * leg + 1] = 0.81 * (knee_goal - knee[leg]) - 0.5 * knee_speed[leg]
    return np.clip(torques, -1.0, 1.0)
