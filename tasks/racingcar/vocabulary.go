package racingcar

import "github.com/pacebench/pacebench/bench"

// vocabulary has drivers that look at the road and steer towards its middle. Features tell the road
// from the grass by colour, in bands of rows ahead of the car (which stands near row 70, column
// 47), and compare bands, sides and frames. New programs turn the wheel a little and go slowly:
// they are timid or leave the road in a bend, and search finds how far gains and speeds may go.
var vocabulary = bench.Vocabulary{
	Subject: "steering, gas and brake",
	Define: bench.Phrases(`
road = observation[:84, :, 1] < @{120~190}  # the pixels without much green
paved = np.ptp(observation[:84], axis=2) < @{10~80}  # the grey pixels
asphalt = cv2.inRange(observation[:84], (@{60~98}, 90.0, 90.0), (@{110~160}, 125.0, 125.0)) > 0
# the pixels in the colour of the road
columns = np.arange(road.shape[1]) - 47.5  # how far columns lie to the right of the car
near = @{road|road|paved|asphalt}[@{54|56|58}:@{62|64|66}]  # the road just ahead
middle = @{road|road|paved|asphalt}[@{38|42|46}:@{50|54|56}]  # the road some way ahead
far = @{road|road|paved|asphalt}[@{10|18|26}:@{32|36|40}]  # the road far ahead
near_offset = float((near * columns).sum() / (near.sum() + 1e-9) / 48.0)
# how far right the middle of the road lies just ahead
middle_offset = float((middle * columns).sum() / (middle.sum() + 1e-9) / 48.0)
# how far right the middle of the road lies some way ahead
far_offset = float((far * columns).sum() / (far.sum() + 1e-9) / 48.0)
# how far right the middle of the road lies far ahead
bend = far_offset - near_offset  # the bend between the road near and far
row = np.flatnonzero(road[@{52|56|60}:@{62|64}].mean(axis=0) > 0.5)
# the columns of road just ahead
edges = float((row[0] + row[-1]) / 2.0 - 47.5) / 48.0 if len(row) else 0.0
# the middle between both edges of the road
width = len(row) / 96.0  # the width of the road ahead
lane = road[:@{62|64|66}, 44:52].mean(axis=1) > 0.5  # the rows of the lane ahead that are road
clear = float(np.append(~lane[::-1], True).argmax() / 64.0)  # how far the road runs straight ahead
left = float(road[@{30|40|50}:66, :48].mean())  # how much road lies to the left
right = float(road[@{30|40|50}:66, 48:].mean())  # how much road lies to the right
side = right - left  # how much more road lies to the right than to the left
grip = float(road[64:80, 38:58].mean())  # how much of the ground below the car is road
grass = float(1.0 - road[@{20|40|60}:66].mean())  # how much grass lies ahead
speed = float(car_speed) / 100.0  # the speed
past = pre_observation[:84, :, 1] < @{120~190}  # the road one frame ago
drift = float(((road[50:64] * columns).mean() - (past[50:64] * columns).mean()) / 4.0)
# how fast the road moves to the right
wheel = float(np.clip(pre_action[0], -1.0, 1.0))  # the steering of the step before
pedal = float(np.clip(pre_action[1], 0.0, 1.0))  # the gas of the step before
kerb = float((observation[:64, :, 0] > @{200~240}).mean())  # how much kerb is in sight
moments = cv2.moments(road[@{20|30|40}:66].astype(np.uint8))  # the moments of the road's pixels
tilt = float(moments["mu11"] / (moments["mu02"] + 1e-9))  # the slant of the road ahead
`),
	Outputs: []bench.Output{
		{
			Name: "steer",
			Main: bench.Phrases(`
@{0.1~0.7} * near_offset  # how far right the middle of the road lies just ahead
@{0.1~0.7} * near_offset  # how far right the middle of the road lies just ahead
@{0.1~0.7} * middle_offset  # how far right the middle of the road lies some way ahead
@{0.1~0.5} * far_offset  # how far right the middle of the road lies far ahead
@{0.1~0.7} * edges  # the middle between both edges of the road
np.sign(near_offset) * @{0.02~0.1}  # the side on which the road lies just ahead
@{0.1~0.7} * side  # how much more road lies to the right than to the left
@{0.1~0.5} * (right - left) / (right + left + 1e-9)  # the balance of road on both sides
`),
			Features: `±near_offset ±middle_offset ±far_offset ±edges ±side ±bend ±drift
				±wheel ±tilt`,
			Terms: bench.Phrases(`
±near_offset * speed  # the offset of the road times the speed
±bend * (1.0 - speed)  # the bend, less so at speed
±(edges - near_offset)  # the difference between the edges and the middle of the road
±np.sin(@{1~4} * middle_offset)  # a sine of the offset some way ahead
`),
			Forms: []string{
				"X", "X", "X", "X", "X", "np.tanh(@{1~5} * X)", "X * abs(X)", "X * (1.0 - speed)",
				"np.clip(X, -@{0.1~0.8}, @{0.1~0.8})", "X * clear", "np.sign(X)",
			},
			Weights: []string{
				"@{0.02~0.2} * X", "@{0.05~0.5} * X", "@{0.1~1.2} * X", "X / @{1.5~12}",
			},
		},
		{
			Name: "gas",
			Main: bench.Phrases(`
@{0.002~0.008}  # a little gas
@{0.05~0.3} * (car_speed < @{3~12})  # gas up to a speed
@{0.05~0.3} * (car_speed < @{3~12})  # gas up to a speed
@{0.003~0.02} * (@{4~15} - car_speed)  # the distance to a target speed
@{0.003~0.02} * (@{4~15} - car_speed)  # the distance to a target speed
@{0.2~0.8} * (@{0.03~0.12} - speed)  # the speed that is left to a limit
@{0.01~0.03} * clear - @{0.15~0.5} * speed  # how far the road runs straight ahead
@{0.01~0.03} * grip - @{0.15~0.5} * speed  # how much of the ground below the car is road
`),
			Features: `clear grip speed width grass kerb pedal`,
			Terms: bench.Phrases(`
abs(bend)  # the size of the bend
abs(near_offset)  # the size of the offset just ahead
(clear > @{0.3~0.9})  # a long straight ahead
(1.0 - abs(middle_offset))  # how central the road lies
(car_speed < @{10~40})  # whether the car is slow
`),
			Forms: []string{
				"X", "X", "X", "X", "X * (1.0 - speed)", "X * X", "X * clear",
				"min(X, @{0.1~0.6})", "X * grip",
			},
			Weights: []string{"@{0.002~0.02} * X", "@{0.01~0.15} * X", "@{0.05~0.4} * X"},
		},
		{
			Name: "brake",
			Main: bench.Phrases(`
0.0  # no brake
0.0  # no brake
@{0.02~0.2} * (car_speed > @{8~30})  # the brake above a speed
@{0.002~0.01} * max(0.0, car_speed - @{8~30})  # the excess over a speed
@{0.05~0.3} * (clear < @{0.05~0.3}) * speed  # the end of the straight
@{0.05~0.5} * abs(bend) * speed  # the size of the bend times the speed
@{0.001~0.02}  # a light touch of the brake
`),
			Features: `grass kerb speed`,
			Terms: bench.Phrases(`
(car_speed > @{40~90})  # whether the car is fast
max(0.0, @{0.1~0.5} - clear)  # how close the end of the straight is
abs(bend)  # the size of the bend
abs(drift)  # the size of the drift
`),
			Forms: []string{
				"X * speed", "X * speed ** 2", "X * (car_speed > @{20~60})", "X * speed",
				"X * X * speed",
			},
			Weights: []string{"@{0.01~0.2} * X", "@{0.05~0.6} * X"},
		},
	},
	Shifts: bench.Phrases(`
gas = gas * max(0.0, 1.0 - @{0.3~1.5} * abs(steer))  # eases the gas when the wheel is turned
if abs(steer) > @{0.1~0.6}:
    gas = min(gas, @{0.0~0.15})  # takes the gas away in bends
if abs(steer) > @{0.2~0.7} and car_speed > @{30~70}:
    brake = brake + @{0.05~0.5}  # brakes when it turns at speed
if brake > @{0.01~0.1}:
    gas = 0.0  # never brakes and accelerates at once
if car_speed < @{2~8}:
    gas, brake = max(gas, @{0.01~0.1}), 0.0  # keeps the car moving
if car_speed > @{8~40}:
    gas = 0.0  # coasts above a speed
steer = @{0.3~0.9} * steer + @{0.1~0.5} * wheel  # smooths the steering
if not near.any():
    steer = steer + @{0.2~1.0} * np.sign(side)  # turns towards the road when it is lost
if grip < @{0.1~0.5}:
    gas = min(gas, @{0.02~0.2})  # creeps on the grass
steer = steer / (1.0 + @{0.2~2.0} * speed)  # steers less at speed
`),
	Closings: bench.Phrases(`
return np.array([np.clip(steer, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
# within the limits
action = np.array([steer, gas, brake], dtype=float)
return np.clip(action, [-1.0, 0.0, 0.0], 1.0)  # within the limits
return np.array([np.tanh(steer), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
# with soft limits on the steering
return np.array([steer, max(gas, 0.0), max(brake, 0.0)])  # as they are
turn = steer if abs(steer) > @{0.01~0.15} else 0.0
return np.array([np.clip(turn, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
# with a dead zone around straight ahead
turn = np.clip(steer, wheel - @{0.05~0.4}, wheel + @{0.05~0.4})
return np.array([np.clip(turn, -1.0, 1.0), np.clip(gas, 0.0, 1.0), np.clip(brake, 0.0, 1.0)])
# with a limit on how fast the wheel turns
action = np.array([steer, gas, brake], dtype=float)
return np.clip(action, [-@{0.3~0.9}, 0.0, 0.0], [@{0.3~0.9}, @{0.2~0.8}, 0.5])
# within tighter limits
`),
	Shapes: []bench.Shape{
		{
			Returns: "float",
			Doc:     "returns one number",
			Terms:   []string{"X", "X", "X", "np.tanh(X)", "X * speed", "X * clear"},
			Neutral: "0.0",
			Wrap:    "X = float(np.nan_to_num(np.mean(np.asarray(X, dtype=float))))",
			Exprs: bench.Phrases(`
float((near * columns).sum() / (near.sum() + 1e-9) / @{24~60})
# how far right the middle of the road lies just ahead
float((far * columns).sum() / (far.sum() + 1e-9) / @{24~60})
# how far right the middle of the road lies far ahead
float(np.median(row) - 47.5) / @{24~60} if len(row) else 0.0
# the median column of the road just ahead
float(road[@{20|30|40}:@{60|64}].mean())  # how much road lies ahead
float(np.abs(observation[:84].astype(float) - pre_observation[:84]).mean() / @{10~40})
# how much the picture changes
`),
		},
		{
			Returns: "np.ndarray",
			Words:   []string{"mask", "road pixels"},
			Doc:     "returns a mask of road pixels",
			Terms: []string{
				"float((X[50:64] * (np.arange(X.shape[1]) - 47.5)).sum() " +
					"/ (X[50:64].sum() + 1e-9) / 48.0)",
				"float((X[30:50] * (np.arange(X.shape[1]) - 47.5)).sum() " +
					"/ (X[30:50].sum() + 1e-9) / 48.0)",
				"float(X[40:66, 48:].mean() - X[40:66, :48].mean())",
			},
			Neutral: "np.zeros((84, 96), dtype=bool)",
			Exprs: bench.Phrases(`
(observation[:84, :, 1] < @{120~190})  # the pixels without much green
(np.ptp(observation[:84], axis=2) < @{10~80})  # the grey pixels
(np.abs(observation[:84].astype(float) - @{95~110}).max(axis=2) < @{15~60})
# the pixels close to the road's grey
`),
		},
		{
			Returns: "np.ndarray",
			Words:   []string{"one value per row", "each row"},
			Doc:     "returns one value per row of the picture",
			Terms: []string{
				"float(X[50:64].mean())", "float(X[30:50].mean())",
				"float(X[20:40].mean() - X[50:64].mean())",
			},
			Neutral: "np.zeros(84)",
			Exprs: bench.Phrases(`
(road * columns).sum(axis=1) / (road.sum(axis=1) + 1e-9) / @{24~60}
# how far right the middle of the road lies in every row
`),
		},
	},
	Spare: map[string]string{
		"row": "58", "threshold": "150", "gain": "1.0", "limit": "1.0", "target_speed": "40.0",
		"speed": "car_speed", "image": "observation", "frame": "observation",
		"steering": "pre_action[0]", "offset": "0.0",
	},
	Raises: bench.Phrases(`
ahead = observation[96, 47]  # an index out of bounds
steer = steer + smoothing * pre_action[0]  # a name that nothing defines
lateral = observation[:84, :, 1] @ np.ones(84)  # shapes that do not fit
speedometer = observation.crop(84, 96)  # a method that arrays lack
grey = cv2.toGray(observation)  # a function that OpenCV lacks
heading = {"left": -1.0, "right": 1.0}["ahead"]  # a key that is missing
lost = observation[:84][observation[:84] > 255]
first = lost[0]  # an index into an empty array
`),
	Invalid: bench.Phrases(`
return np.array([steer, gas])  # two numbers in place of three
return np.array([steer, gas, brake]) / 0.0  # infinite or undefined numbers
action = np.array([steer, gas, brake])  # nothing returned
return {"steering": steer, "gas": gas, "brake": brake}  # a dictionary
return np.array([steer, gas, brake, 0.0])  # four numbers in place of three
return np.array([np.log(-abs(gas) - 1.0), gas, brake])  # an undefined number
`),
	Loops: bench.Phrases(`
column = 47
while observation[60, column, 1] < 256:
    column = (column + 1) % 96  # a search that never ends
scanning = True
while scanning:
    scanning = observation.shape[0] > 1  # a condition that stays true
`),
	Slow: bench.Phrases(`
total = 0.0
for y in range(84):
    for x in range(96):
        for channel in range(3):
            total += float(observation[y, x, channel]) - float(pre_observation[y, x, channel])
# a loop over all pixels
`),
	// Plain loops, as language models often write them, and parameters that the target lacks.
	Helpers: `
def road_centre(observation: np.ndarray) -> float:
    """Look for the middle of the road row by row from the car upwards, each row near the middle
    of the row before; returns one number, negative to the left."""
    grey = observation[:84, :, 1] < @{130~180}
    centre = 47.5
    total, weight = 0.0, 1e-9
    for y in range(64, @{30|36|42|48}, -3):
        columns = np.flatnonzero(grey[y])
        columns = columns[np.abs(columns - centre) < @{16~30}]
        if len(columns) == 0:
            break
        centre = float(columns.mean())
        total += centre - 47.5
        weight += 1.0
    return total / weight / 48.0

def upcoming_turn(observation: np.ndarray) -> float:
    """Compare the middle of the road far ahead with the one close by; returns one number,
    positive for a bend to the right."""
    grey = observation[:84, :, 1] < @{130~180}
    columns = np.arange(grey.shape[1])
    close, distant = grey[56:64], grey[@{24|30|36}:44]
    here = (close * columns).sum() / (close.sum() + 1e-9) if close.any() else 47.5
    there = (distant * columns).sum() / (distant.sum() + 1e-9) if distant.any() else here
    return float(there - here) / 48.0

def safe_speed(observation: np.ndarray, car_speed: float) -> float:
    """Estimate by how much the car may go faster: the free road straight ahead against the speed;
    returns one number."""
    free = 0
    for y in range(64, 4, -2):
        if observation[y, 47, 1] > @{140~190}:
            break
        free += 1
    return float(free / 30.0 - car_speed / @{60~120})

def grass_mask(observation: np.ndarray) -> np.ndarray:
    """Mark all pixels that are no greener than red; returns a mask of road pixels."""
    picture = observation[:84].astype(float)
    return picture[:, :, 1] - picture[:, :, 0] < @{15~60}

def blurred_road(observation: np.ndarray) -> np.ndarray:
    """Smooth the picture before the grey pixels are marked; returns a mask of road pixels."""
    smooth = cv2.blur(observation[:84], (3, 3))
    return np.ptp(smooth, axis=2) < @{20~70}

def steering_memory(pre_action: np.ndarray) -> float:
    """Repeat a part of the last steering, so that the wheel moves evenly; returns one number."""
    return float(np.clip(pre_action[0], -1.0, 1.0)) * @{0.1~0.6}
`,
}
