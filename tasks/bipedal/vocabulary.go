package bipedal

import "github.com/pacebench/pacebench/bench"

// vocabulary has controllers of joint torques that treat both legs alike: a torque drives every
// joint towards a target angle, and the target depends on whether the leg swings or stands. A
// program keeps nothing between steps, so that the swinging leg is told by the feet on the ground,
// by the leg in front, or by the torques of the step before. A gait is taken apart into many small
// terms, and gains and angles are drawn widely: most first programs fall or stand, few stumble
// forward, and search puts a gait together.
var vocabulary = bench.Vocabulary{
	Subject: "the torques of hips and knees",
	Define: bench.Phrases(`
hull = float(observation[0])  # the hull's angle
spin = float(observation[1])  # the hull's angular velocity
pace = float(observation[2])  # the forward velocity
climb = float(observation[3])  # the vertical velocity
hips = np.array([observation[4], observation[9]])  # the hip angles
legs = hips + hull  # the angles of the thighs against the vertical
hip_speed = np.array([observation[5], observation[10]])  # the hip speeds
knees = np.array([observation[6], observation[11]])  # the knee angles
knee_speed = np.array([observation[7], observation[12]])  # the knee speeds
contact = np.array([observation[8], observation[13]])  # the feet on the ground
ahead = hips - hips[::-1]  # how far each leg is ahead of the other
effort = np.array([last_action[0], last_action[2]])  # the hip torques of the step before
thrust = np.array([last_action[1], last_action[3]])  # the knee torques of the step before
bends = thrust[0] < thrust[1]  # whether the left knee bends
lead = 1.0 if ahead[1] > @{0.2~0.9} or bends and ahead[0] < @{0.2~0.9} else -1.0
# the swinging leg, until it has come far enough forward
swing = np.array([lead, -lead]) > 0.0  # which leg swings
hurry = np.where(swing, 1.0, -1.0) * (pace - @{0.1~0.3})  # a longer step at speed
aloft = contact < 0.5  # which feet are in the air
behind = hips < hips[::-1]  # which leg is behind
free = np.where(contact == contact[::-1], behind, aloft)  # which leg is free to swing
passed = ahead > @{0.1~0.8}  # which leg has passed the other
ground = float(observation[14:].mean())  # how far the ground ahead is
shock = float(observation[3] - prev_observation[3])  # the vertical acceleration
tilt = float(observation[0] - prev_observation[0])  # the change of the hull's angle
twist = np.array([1.0, -1.0]) * (hips[0] - hips[1])  # the split of the legs
`),
	Outputs: []bench.Output{
		{
			Name: "hip",
			// Hips and knees of one gait, of which few settings walk.
			Main: bench.Phrases(`
@{0.7~1.3} * np.where(swing, @{0.2~0.45} - legs, hull) + @{0.1~0.5} * hurry - 0.3 * hip_speed
# a longer step at speed, and the hull balanced on the standing leg
@{0.7~1.3} * np.where(swing, @{0.2~0.45} - legs, hull) + @{0.1~0.5} * hurry - 0.3 * hip_speed
# a longer step at speed, and the hull balanced on the standing leg
@{0.7~1.3} * np.where(swing, @{0.2~0.45} - legs, hull) + @{0.1~0.5} * hurry - 0.3 * hip_speed
# a longer step at speed, and the hull balanced on the standing leg
@{0.1~0.6} * (@{0.0~0.4} - hips)  # a resting angle of both hips
-@{0.1~0.6} * legs  # thighs that point straight down
@{0.2~0.8} * (np.array([@{0.0~0.7}, @{-0.5~0.3}]) - hips)  # a fixed split of the legs
@{0.05~0.4} * np.where(swing, 1.0, -@{0.1~1.0})  # small torques in alternation
@{0.05~0.4} * np.where(@{free|aloft|behind}, 1.0, -@{0.1~1.0})
# small torques in alternation, by the feet
`),
			Features: `±hull ±spin ±pace ±hurry ±legs ±hip_speed ±ahead ±twist ±contact
				±climb ±tilt ±effort`,
			Terms: bench.Phrases(`
±(pace - @{0.1~0.5})  # the distance to a target velocity
±np.where(swing, 0.0, hull)  # the hull's angle on the standing leg
±np.where(swing, hull, 0.0)  # the hull's angle on the swinging leg
±np.where(aloft, 0.0, hull + spin)  # the hull's angle and angular velocity on the ground
(hips[::-1] - hips)  # the distance to the other leg
np.where(swing, @{0.2~0.8} - @{hips|legs}, 0.0)  # a forward target angle for the swinging leg
np.where(@{free|aloft|behind}, @{0.2~0.8} - hips, 0.0)  # a forward target angle for the free leg
np.where(swing, 0.0, @{-0.3~0.3} - hips)  # a backward target angle for the standing leg
±(hips - @{0.0~0.5})  # the distance to a resting hip angle
(1.0 - ground)  # how close the ground ahead is
`),
			Forms: []string{
				"X", "X", "X", "np.where(swing, X, 0.0)", "np.where(swing, 0.0, X)", "X * contact",
				"X * aloft", "np.tanh(@{1~4} * X)", "np.clip(X, -@{0.1~0.5}, @{0.1~0.5})",
			},
			Weights: []string{"@{0.02~0.2} * X", "@{0.05~0.4} * X", "@{0.1~1.0} * X"},
		},
		{
			Name: "knee",
			Main: bench.Phrases(`
@{0.6~1.3} * (np.where(swing, @{-0.1~0.3}, @{0.6~0.9}) - knees) - 0.2 * knee_speed
# a damped bent knee on the swinging leg and a straight one on the other
@{0.6~1.3} * (np.where(swing, @{-0.1~0.3}, @{0.6~0.9}) - knees) - 0.2 * knee_speed
# a damped bent knee on the swinging leg and a straight one on the other
@{0.6~1.3} * (np.where(swing, @{-0.1~0.3}, @{0.6~0.9}) - knees) - 0.2 * knee_speed
# a damped bent knee on the swinging leg and a straight one on the other
@{0.2~1.0} * (@{0.4~0.95} - knees)  # straight knees
@{0.2~1.0} * (@{0.0~0.6} - knees)  # bent knees
@{0.1~0.6} * (@{0.4~0.95} - knees) * contact  # straight knees on the ground
@{0.05~0.5}  # knees that push all the time
@{0.05~0.5} * np.where(swing, -1.0, 1.0)  # small torques in alternation
`),
			Features: `±knee_speed ±contact ±climb ±ahead ±hull ±pace ±shock ±thrust ±spin`,
			Terms: bench.Phrases(`
±np.where(swing, 0.0, climb)  # the vertical velocity on the standing leg
np.where(behind, contact, 0.0)  # a push of the leg behind
±np.where(swing, hips, 0.0)  # the hip angle of the swinging leg
(@{0.5~1.0} - knees)  # the distance to a straight knee
np.where(swing, @{-0.2~0.4} - knees, 0.0)  # a bent knee on the swinging leg
np.where(swing & ~passed, @{-0.4~0.4} - knees, 0.0)  # a bent knee until the leg has passed
np.where(@{free|aloft}, @{-0.2~0.4} - knees, 0.0)  # a bent knee on the free leg
np.where(swing, 0.0, @{0.6~0.95} - knees)  # a straight knee on the standing leg
(1.0 - ground)  # how close the ground ahead is
`),
			Forms: []string{
				"X", "X", "X", "np.where(swing, X, 0.0)", "np.where(swing, 0.0, X)", "X * contact",
				"X * aloft", "np.tanh(@{1~4} * X)",
			},
			Weights: []string{"@{0.02~0.2} * X", "@{0.05~0.4} * X", "@{0.1~1.0} * X"},
		},
	},
	Shifts: bench.Phrases(`
hip = hip - @{0.05~0.6} * hip_speed  # damps the hips
knee = knee - @{0.05~0.6} * knee_speed  # damps the knees
if abs(hull) > @{0.05~0.4}:
    hip = hip + @{0.3~2.0} * hull * contact  # rights the hull when it leans
if pace > @{0.2~0.6}:
    hip = hip - np.where(swing, 0.0, @{0.1~0.6})  # slows down above a velocity
if pace < @{0.0~0.2}:
    knee = knee + np.where(behind, @{0.05~0.5} * contact, 0.0)  # pushes off when it is slow
knee = np.where(contact > 0.5, knee + @{0.05~0.5}, knee)  # stiffens the knee on the ground
if not contact.any():
    knee = knee + @{0.1~0.5}  # stretches the legs for the landing
hip = @{0.4~0.9} * hip + @{0.1~0.5} * effort  # smooths the hip torques
if climb < -@{0.05~0.3}:
    knee = knee + @{0.1~0.6} * contact  # catches a fall with the knees
hip = np.where(passed, hip - @{0.1~0.5}, hip)  # brakes the leg that has passed the other
`),
	Closings: bench.Phrases(`
action = np.zeros_like(last_action)
action[[0, 2]] = hip
action[[1, 3]] = knee
return np.clip(action, -1.0, 1.0)  # within the limits
pair = np.broadcast_arrays(hip, knee, knees)
torques = np.array([pair[0][0], pair[1][0], pair[0][1], pair[1][1]])
return np.clip(torques, -1.0, 1.0)  # leg by leg
action = np.zeros_like(last_action)
action[[0, 2]] = np.tanh(hip)
action[[1, 3]] = np.tanh(knee)
return action  # with soft limits
action = np.zeros_like(last_action)
action[[0, 2]] = hip
action[[1, 3]] = knee
limit = @{0.5~0.95}
return np.clip(action, -limit, limit)  # within tighter limits
action = np.zeros_like(last_action)
action[[0, 2]] = hip
action[[1, 3]] = knee
return action / max(1.0, float(np.abs(action).max()))  # scaled to the largest torque
action = np.zeros_like(last_action)
action[[0, 2]] = hip
action[[1, 3]] = knee
share = @{0.05~0.5}
return np.clip((1.0 - share) * action + share * last_action, -1.0, 1.0)
# blended with the last torques
`),
	Shapes: []bench.Shape{
		{
			Returns: "np.ndarray",
			Words:   []string{"one value per leg", "each leg", "both legs", "per leg"},
			Doc:     "returns one value per leg",
			Terms: []string{
				"X", "X", "np.where(swing, X, 0.0)", "np.where(swing, 0.0, X)", "X * contact",
				"np.clip(X, -@{0.2~0.8}, @{0.2~0.8})",
			},
			Neutral: "np.array([0.0, 0.0])",
			Wrap: "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float)), " +
				"contact.shape)",
			Each: "leg", Over: "(0, 1)",
		},
		{
			Returns: "float",
			Doc:     "returns one number",
			Terms: []string{
				"X", "X * contact", "X * np.array([1.0, -1.0])", "np.where(swing, X, 0.0)",
				"np.where(swing, 0.0, X)", "X * hip_speed",
			},
			Neutral: "0.0",
			Exprs: bench.Phrases(`
float(hull + @{0.1~1.0} * spin)  # the hull's angle a little later
float(@{0.1~0.5} - pace)  # the distance to a target velocity
float(np.abs(ahead).max())  # the length of the step
float(np.clip(@{0.5~3.0} * tilt, -1.0, 1.0))  # the change of the hull's angle
float(contact.sum())  # the number of feet on the ground
float(observation[14:].min())  # how close the nearest ground is
`),
		},
		{
			Returns: "int",
			Doc:     "returns the index of a leg",
			Terms: []string{
				"(np.array([0, 1]) == X)", "np.where(np.array([0, 1]) == X, hull, 0.0)",
				"np.where(np.array([0, 1]) == X, 0.0, @{0.1~0.6})",
			},
			Neutral: "0",
			Exprs: bench.Phrases(`
int(np.argmax(hips))  # the leg in front
int(np.argmin(contact))  # a leg whose foot is in the air
int(np.argmax(swing))  # the leg that swings
int(np.argmin(knees))  # the leg with the more bent knee
`),
		},
	},
	Spare: map[string]string{
		"side": "0", "joint": "0", "target": "0.4", "gain": "1.0", "kp": "1.0", "kd": "0.2",
		"angle": "hull", "speed": "pace", "phase": "0.5", "action": "last_action",
		"previous": "prev_observation",
	},
	Raises: bench.Phrases(`
ankle = observation[24]  # an index out of bounds
hip = hip + stride_gain * hips  # a name that nothing defines
knee = knee + np.ones(len(last_action) + 1)  # shapes that do not fit
last_action.append(0.0)  # a method of lists on an array
phase = np.gait(observation)  # a function that NumPy lacks
stance = {"left": 8, "right": 13}["both"]  # a key that is missing
hull_angle, hull_speed = observation[:3]  # too many values to unpack
`),
	Invalid: bench.Phrases(`
return np.concatenate([np.atleast_1d(hip), np.atleast_1d(knee), [0.0]])  # one torque too many
return hip * np.inf - hip * np.inf  # undefined numbers
action = np.append(hip, knee)  # nothing returned
return {"hip": hip, "knee": knee}  # a dictionary
return np.array([np.mean(hip), np.mean(knee)])  # two numbers in place of four
return np.array([np.nan, np.mean(hip), np.mean(knee), 0.0])  # an undefined number
`),
	Loops: bench.Phrases(`
angle = 0.0
while abs(angle - observation[0]) < 10.0:
    angle = 0.5 * angle  # an iteration that never gets away
settled = False
while not settled:
    settled = len(observation) < 1  # a condition that stays false
`),
	Slow: bench.Phrases(`
total = 0.0
for first in range(100):
    for second in range(100):
        total += float(observation[first % 24]) * float(observation[second % 24])
# two nested loops
`),
	// Plain loops, as language models often write them, and parameters that the target lacks.
	Helpers: `
def leg_target(leg: int, observation: np.ndarray) -> float:
    """Choose a hip angle for one leg: forward while its foot is in the air and the other one
    carries, backward on the ground."""
    own = observation[8] if leg == 0 else observation[13]
    other = observation[13] if leg == 0 else observation[8]
    if own < 0.5 and other > 0.5:
        return @{0.3~0.9}
    return @{-0.4~0.2}

def knee_stiffness(leg: int, observation: np.ndarray) -> float:
    """Stretch the knee of a leg whose foot is on the ground, the more the further it is bent."""
    start = 6 if leg == 0 else 11
    bent = @{0.6~1.0} - float(observation[start])
    touch = float(observation[8] if leg == 0 else observation[13])
    return touch * @{0.3~2.0} * bent

def balance_torque(observation: np.ndarray) -> float:
    """Combine the hull's angle and angular velocity into a torque that keeps it upright; returns
    one number."""
    return @{0.5~2.0} * float(observation[0]) + @{0.1~1.5} * float(observation[1])

def push_off(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Push with the leg behind as long as its foot is on the ground and the walker is slow;
    returns one value per leg."""
    push = np.array([0.0, 0.0])
    behind = 0 if observation[4] < observation[9] else 1
    contact = observation[8] if behind == 0 else observation[13]
    if contact > 0.5 and observation[2] < @{0.2~0.5}:
        push[behind] = @{0.1~0.7}
    return push

def mirror_swing(observation: np.ndarray, last_action: np.ndarray) -> np.ndarray:
    """Swing both hips against each other, in the direction of their present motion; returns one
    value per leg."""
    motion = float(observation[5] - observation[10])
    split = float(observation[4] - observation[9])
    direction = 1.0 if motion > 0.0 else -1.0
    if abs(split) > @{0.4~1.0}:
        direction = -1.0 if split > 0.0 else 1.0
    return np.array([direction, -direction]) * @{0.1~0.8}

def fall_risk(observation: np.ndarray, prev_observation: np.ndarray) -> float:
    """Rate how fast the hull tips over, from its angle in two steps; returns one number."""
    change = float(observation[0] - prev_observation[0])
    return float(np.clip(@{2~12} * change + observation[0], -1.0, 1.0))

def swing_leg(observation: np.ndarray, last_action: np.ndarray) -> int:
    """Choose the leg to swing: the one whose foot is in the air, else the one behind; returns
    the index of a leg."""
    if observation[8] < 0.5 <= observation[13]:
        return 0
    if observation[13] < 0.5 <= observation[8]:
        return 1
    return 0 if observation[4] < observation[9] else 1
`,
}
