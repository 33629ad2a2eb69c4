package tspconstruct

import "github.com/pacebench/pacebench/bench"

// vocabulary has scoring rules over the unvisited nodes; the node with the smallest score is
// visited next. The features are the usual ones of construction heuristics (nearest neighbour,
// regret, savings, isolation, look-ahead). Lengths are ratios: to the shortest steps, under a cap,
// or to a mean over the instance. A term that looks far is bounded and the distance from the
// current node is not, so that a program means the same on 50 nodes and on 1000. Weights are small
// and of either sign: a new program is seldom good, and search has something to find. Features look
// at the nearest few nodes or at a sample rather than at all pairs: a program then costs some
// milliseconds on 50 nodes, and stays affordable on the 1000 of the largest test.
var vocabulary = bench.Vocabulary{
	Subject: "candidates",
	Define: bench.Phrases(`
left = len(unvisited_nodes) / distance_matrix.shape[0]  # the share of nodes left
steps = distance_matrix[current_node, unvisited_nodes]  # the lengths of all possible steps
unit = steps[:4].mean() + 1e-9  # the mean of the shortest steps
here = steps / unit  # the distance from the current node
back = distance_matrix[unvisited_nodes, destination_node]  # the lengths of the ways back
home = back / distance_matrix[destination_node].mean()  # the distance back to the destination
near = unvisited_nodes[:@{8|10|12|16}]  # the nearest few nodes
between = np.minimum(distance_matrix[np.ix_(unvisited_nodes, near)] / unit, @{3~6})
# the distances from unvisited nodes to the nearest few
ordered = np.sort(between, axis=1)  # sorted neighbour distances
nearest = ordered[:, 1]  # the distance to the nearest other unvisited node
crowd = ordered[:, 1:@{4|5|6|7|8}].mean(axis=1)  # the mean distance to a few nearest neighbours
spread = between.std(axis=1)  # the spread of distances to near nodes
median = np.median(between, axis=1)  # the median distance to near nodes
regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]
# the regret between first and second nearest neighbour
place = np.arange(len(unvisited_nodes))  # the rank by distance
sample = unvisited_nodes[::len(unvisited_nodes) // @{10|14|20} + 1]  # some unvisited nodes
around = distance_matrix[np.ix_(unvisited_nodes, sample)]
# the distances to a sample of the unvisited nodes
remote = around.mean(axis=1) / (around.mean() + 1e-9)  # the mean distance to the unvisited nodes
farthest = around.max(axis=1) / (around.max() + 1e-9)
# the distance to the farthest unvisited node
medoid = unvisited_nodes[np.argmin(around.sum(axis=1))]  # the most central unvisited node
pull = distance_matrix[unvisited_nodes, medoid] / distance_matrix[medoid].mean()
# the distance to the centre of the unvisited nodes
outpost = unvisited_nodes[np.argmax(home)]  # the unvisited node farthest from the destination
reach = distance_matrix[unvisited_nodes, outpost] / distance_matrix[outpost].mean()
# the distance to the farthest outpost
direct = distance_matrix[current_node, destination_node]  # the direct way to the destination
detour = np.clip((steps + back - direct) / unit, 0.0, @{2~5})
# the detour on the way to the destination
density = (between < @{0.8~2.5}).mean(axis=1)  # how many neighbours lie within a radius
warmth = np.exp(-between / @{0.5~2.5}).mean(axis=1)  # a kernel density of unvisited nodes
typical = distance_matrix[unvisited_nodes, ::@{3|5|7}].mean(axis=1) / distance_matrix[0].mean()
# the mean distance to all nodes of the instance
seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)  # the visited nodes
trail = np.minimum(distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1) / unit, @{2~5})
# the distance to the tour built so far
closed = np.where(between > 0.0, between, 9.0)  # distances among unvisited nodes without loops
successor = closed.argmin(axis=1)  # the nearest successor
ahead = nearest + nearest[successor]  # the length of the next two steps
popular = np.bincount(successor, minlength=len(unvisited_nodes))
# how many nodes have a candidate as their nearest neighbour
swerve = np.clip((closed + here[:closed.shape[1]]).min(axis=1) - here, -2.0, 2.0)
# the cost of coming back for a node later
stranded = np.maximum(nearest - here, 0.0)  # how much is lost when a node is left behind
stretch = here / (nearest + 1e-9)  # the step relative to the nearest neighbour's distance
gap = here - here.min()  # the extra length over the shortest step
glance = np.zeros(len(unvisited_nodes))
foot = np.arange(len(unvisited_nodes))
barred = np.zeros_like(between)
for _ in range(@{2|3}):
    choice = closed[foot] + barred
    foot = choice.argmin(axis=1)
    glance = glance + choice[np.arange(len(foot)), foot]
    barred[np.arange(len(foot)), foot] = 9.0  # the length of a few greedy steps ahead
`),
	Outputs: []bench.Output{{
		Name: "score",
		Main: bench.Phrases(`
here  # the distance from the current node
here  # the distance from the current node
here  # the distance from the current node
here ** @{0.6~1.6}  # a power of the distance from the current node
np.log(here + @{0.1~1.0})  # the logarithm of the distance
np.sqrt(here)  # the root of the distance
place * @{0.2~0.8}  # the rank by distance
gap  # the extra length over the shortest step
`),
		Features: `home nearest crowd remote spread farthest median regret pull reach density ` +
			`warmth typical
			trail ahead ±swerve stranded glance detour`,
		Terms: bench.Phrases(`
popular / popular.max()  # how many nodes have a candidate as their nearest neighbour
np.minimum(stretch, @{2~6})  # the step relative to the nearest neighbour's distance
±np.sin(@{0.5~3} * here)  # a wave of the distance
nearest / (crowd + 1e-9)  # isolation relative to the neighbourhood
±(crowd - median)  # the skew of distances to near nodes
±(reach - home)  # the balance between the outpost and the way home
`),
		Forms: []string{
			"X", "X", "X", "X", "X * left", "X * (1.0 - left)", "X ** 2",
			"np.maximum(X, @{0.3~1.5})", "np.minimum(X, @{0.5~2.0})", "+np.sqrt(X)",
			"+X ** @{1.3~2.2}", "+np.log1p(X)", "+X / (1.0 + here)", "+np.exp(-X / @{0.5~2.5})",
		},
		Weights: []string{
			"@{0.02~0.15} * X", "@{0.02~0.35} * X", "@{0.05~0.8} * X", "@{0.2~1.5} * X",
			"X / @{1.5~12}",
		},
	}},
	Shifts: bench.Phrases(`
if left < @{0.1~0.5}:
    score = score + @{0.05~0.4} * home  # turns towards the destination late in the tour
if left > @{0.4~0.9}:
    score = score - @{0.05~0.4} * remote  # visits remote nodes early
if left > @{0.3~0.8}:
    score = score - @{0.05~0.4} * home  # moves away from the destination early
score = np.where(here <= @{1.2~3.5} * here.min(), score, score + @{0.3~3.0})
# penalises steps much longer than the shortest one
score[@{4|5|6|8|10|12}:] += @{0.3~3.0}  # penalises all but a few nearest candidates
score = np.where(nearest > @{1.0~2.5}, score - @{0.05~0.4}, score)  # gives isolated nodes a bonus
score = score - @{0.05~0.4} * (nearest[:12].max() == nearest)
# gives the most isolated of the near nodes a bonus
if steps[0] > @{0.8~1.6} * nearest.mean() * unit:
    score = score + @{0.05~0.4} * crowd  # lands in a cluster after a long jump
score = np.where(stranded > @{0.1~1.0}, score - @{0.05~0.4}, score)
# picks up nodes that would be stranded
score = score + @{0.05~0.4} * (density > density.mean())  # postpones dense regions
`),
	Closings: bench.Phrases(`
return int(unvisited_nodes[np.argmin(score)])  # taking the smallest score
best = int(np.argmin(score))
return int(unvisited_nodes[best])  # taking the smallest score
order = np.argsort(score)
return int(unvisited_nodes[order[0]])  # taking the first in order of score
return int(unvisited_nodes[np.argmin(score[:@{3|4|6|8|10}])])
# choosing among the nearest few only
best_node, best_value = unvisited_nodes[0], np.inf
for node, value in zip(unvisited_nodes, score):
    if value < best_value:
        best_node, best_value = node, value
return int(best_node)  # scanning the candidates one by one
finalists = np.argsort(score)[:@{2|3|4|5}]
follow = score[finalists] + @{0.05~0.3} * nearest[finalists]
return int(unvisited_nodes[finalists[np.argmin(follow)]])
# looking one step further for the finalists
ties = np.round(score, @{1|2})
return int(unvisited_nodes[np.lexsort((home, ties))[0]])  # breaking near ties by the way home
appeal = np.exp(-score / @{0.5~1.5})
appeal = appeal * (1.0 + @{0.05~0.3} * remote)
return int(unvisited_nodes[np.argmax(appeal)])
# through an exponential appeal that favours remote nodes
pairs = score[:, None] + @{0.05~0.4} * closed
return int(unvisited_nodes[np.argmin(pairs.min(axis=1))])  # as the first step of the best pair
if len(unvisited_nodes) <= @{2|3|4}:
    return int(unvisited_nodes[np.argmin(here - home)])
return int(unvisited_nodes[np.argmin(score)])  # with a rule of its own for the last few nodes
`),
	Shapes: []bench.Shape{
		{
			Returns: "np.ndarray",
			Words:   []string{"one value per unvisited node", "each unvisited node", "candidate"},
			Doc:     "returns one value per unvisited node",
			Terms: []string{
				"X", "X", "X", "X * left", "X * (1.0 - left)", "np.minimum(X, @{1~3})",
				"(X - X.min())",
			},
			Neutral: "np.zeros(len(unvisited_nodes))",
			Wrap: "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float)), " +
				"len(unvisited_nodes))",
			Each: "node", Over: "unvisited_nodes",
		},
		{
			Returns: "np.ndarray",
			Words:   []string{"matrix", "per pair", "each pair"},
			Doc:     "returns a matrix with one value per pair of unvisited nodes",
			Terms: []string{
				"X.mean(axis=1)", "X.min(axis=1)", "X.max(axis=1)", "np.median(X, axis=1)",
			},
			Neutral: "np.zeros((len(unvisited_nodes), len(unvisited_nodes)))",
		},
		{
			Returns: "float",
			Doc:     "returns one number",
			Terms: []string{
				"X * home", "X * nearest", "np.maximum(X - here, 0.0)", "np.minimum(here, X)",
				"X * remote", "(here > X)", "X * crowd",
			},
			Neutral: "0.0",
			Exprs: bench.Phrases(`
float(here[:@{6|8|12}].mean())  # the mean of the nearest distances
float(np.median(here[:@{6|8|12}]))  # the median of the nearest distances
float(nearest[:@{6|8|12}].mean())  # the mean nearest-neighbour distance among near nodes
float(between[:@{6|8|12}].mean())  # the mean distance among near nodes
float(len(unvisited_nodes) / distance_matrix.shape[0])  # the share of nodes left
float(here[0] / here[1])  # how clear the nearest choice is
float(np.median(home) / home.max())  # how central the destination is
`),
		},
		{
			Returns: "int",
			Doc:     "returns the index of a node",
			Terms: []string{
				"(unvisited_nodes != X)",
				"distance_matrix[unvisited_nodes, X] / distance_matrix[X].mean()",
				"distance_matrix[X, unvisited_nodes] / distance_matrix[X].mean() * left",
			},
			Neutral: "int(unvisited_nodes[0])",
			Exprs: bench.Phrases(`
int(unvisited_nodes[np.argmin(here - @{0.3~3} * remote)])
# a near node that is remote from the others
int(unvisited_nodes[np.argmax(nearest[:12])])  # the most isolated of the near nodes
int(unvisited_nodes[np.argmin(around.sum(axis=1))])  # the most central unvisited node
int(unvisited_nodes[np.argmax(home)])  # the unvisited node farthest from the destination
`),
		},
	},
	Spare: map[string]string{
		"k": "3", "depth": "2", "alpha": "0.5", "beta": "0.5", "cumulative_distance": "0.0",
		"candidate": "int(unvisited_nodes[0])", "candidate_node": "int(unvisited_nodes[0])",
		"next_node": "int(unvisited_nodes[0])", "start_node": "destination_node",
	},
	Raises: bench.Phrases(`
step_cost = distance_matrix[current_node, distance_matrix.shape[0]]  # an index out of bounds
score = score + penalty_weight * here  # a name that nothing defines
score = score + np.ones(len(unvisited_nodes) + 1)  # shapes that do not fit
unvisited_nodes.remove(current_node)  # a method of lists on an array
ranking = np.rank_nodes(score)  # a function that NumPy lacks
best_edge = {}[int(unvisited_nodes[0])]  # a key that is missing
visited = [node for node in range(len(distance_matrix)) if node not in unvisited_nodes]
last_leg = distance_matrix[visited[-1], visited[len(visited)]]  # an index behind a list
`),
	Invalid: bench.Phrases(`
return int(np.argmin(score))  # a position in place of a node
return destination_node  # a node that is not unvisited
return float(unvisited_nodes[np.argmin(score)])  # a float
return unvisited_nodes[np.argsort(score)[:1]]  # an array
best = int(unvisited_nodes[np.argmin(score)])  # nothing returned
return current_node  # the node that is visited already
`),
	Loops: bench.Phrases(`
position = 0
while position < len(unvisited_nodes):
    if here[position] < 0.0:
        position += 1  # a step that is never taken
changed = True
while changed:
    changed = len(unvisited_nodes) > 1  # a condition that stays true
`),
	Slow: bench.Phrases(`
total = 0.0
for first in unvisited_nodes:
    for second in unvisited_nodes:
        for third in unvisited_nodes[:6]:
            total += distance_matrix[first, second] + distance_matrix[second, third]
# three nested loops
`),
	// Plain loops, as language models often write them, and parameters that the target lacks.
	Helpers: `
def node_urgency(
    node: int, current_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray
) -> float:
    """Rate how urgent it is to visit a node now: its distance to the next best predecessor
    relative to the distance from the current node."""
    step = distance_matrix[current_node, node]
    others = [distance_matrix[other, node] for other in unvisited_nodes[:@{4|6}] if other != node]
    return float(min(min(others, default=0.0) / (step + 1e-9), @{1.5~3.0}))

def neighbour_support(node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> float:
    """Average the closeness of the nearest unvisited nodes around one node, each counted by the
    inverse of one plus its distance in units of their mean distance."""
    links = distance_matrix[node, unvisited_nodes[:@{8|12|16}]]
    return float(np.mean(1.0 / (1.0 + @{0.5~3} * links / (links.mean() + 1e-9))))

def regret_of_waiting(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Compute how much longer the second cheapest connection of every node is than its
    cheapest one, relative to both; returns one value per unvisited node."""
    regrets = np.zeros(len(unvisited_nodes))
    for i, node in enumerate(unvisited_nodes[:@{4|6|8}]):
        links = np.sort(distance_matrix[node, unvisited_nodes[:20]])
        if len(links) > 2:
            regrets[i] = (links[2] - links[1]) / (links[2] + 1e-9)
    return regrets

def corridor_penalty(
    current_node: int, destination_node: int, ` +
		`unvisited_nodes: np.ndarray, distance_matrix: np.ndarray
) -> np.ndarray:
    """Penalise nodes by how far they lead off the direct way home; returns one value per
    unvisited node."""
    direct = distance_matrix[current_node, destination_node]
    via = distance_matrix[current_node, unvisited_nodes]
    via = via + distance_matrix[unvisited_nodes, destination_node]
    return (via - direct) / (via + 1e-9)

def chain_length(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Follow the nearest unvisited neighbour a few times from every node and add up the steps,
    in units of the mean one; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{8|10|12}])]
    links = np.where(links > 0.0, links, 9.0)
    target = links.argmin(axis=1)
    step = links.min(axis=1)
    step = np.minimum(step / step[:links.shape[1]].mean(), 3.0)
    total = step.copy()
    for _ in range(@{2|3|4}):
        target = target[target]
        total = total + step[target] * @{0.3~0.9}
    return total

def boundary_score(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Tell nodes on the rim of the unvisited region from inner ones by comparing far and near
    quantiles; returns one value per unvisited node."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{10|14|20}])]
    far = np.quantile(links, @{0.7~0.95}, axis=1)
    close = np.quantile(links, @{0.1~0.4}, axis=1)
    return (far - close) / (far + 1e-9)

def nearest_link_matrix(unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> np.ndarray:
    """Scale the distances among unvisited nodes by both nodes' nearest-neighbour distances;
    returns a matrix with one value per pair."""
    links = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{8|12}])]
    local = np.where(links > 0.0, links, 9.0).min(axis=1)
    return links / (local[:, None] + local[:links.shape[1]] + 1e-9)
`,
}
