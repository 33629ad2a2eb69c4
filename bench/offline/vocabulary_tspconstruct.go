package offline

// SelectNextNode is the vocabulary of TSP-Construct: scoring rules over the unvisited nodes, the
// smallest score is visited next. The features are the usual ones of construction heuristics
// (nearest neighbour, regret, savings, isolation, look-ahead); their weights are drawn small and
// of either sign, so that a fresh program is seldom good and search has something to find. They look at
// the nearest few nodes rather than at all pairs: a program then costs some milliseconds on 50
// nodes, and stays affordable on the 1000 of the largest test.
func SelectNextNode() Vocabulary {
	return Vocabulary{
		Target:  "select_next_node",
		Header:  "def select_next_node(current_node: int, destination_node: int, unvisited_nodes: np.ndarray, distance_matrix: np.ndarray) -> int:",
		Subject: "candidates",
		Define:  selectDefinitions,
		Outputs: []Output{{
			Name:  "score",
			Main:  selectMain,
			Terms: selectTerms,
			Forms: []string{
				"X", "X", "X", "X", "X * left", "X * (1.0 - left)", "+np.sqrt(X)", "+X ** @{1.3~2.2}", "X ** 2", "+np.log1p(X)", "+X / (1.0 + here)",
				"np.maximum(X, @{0.05~0.6})", "np.minimum(X, @{0.1~0.7})", "+np.exp(-X / @{0.05~0.6})", "X * here", "+X / (X.mean() + 1e-9)",
			},
			Weights: []string{"@{0.02~0.35} * X", "@{0.05~0.8} * X", "@{0.2~1.5} * X", "X / @{1.5~12}"},
		}},
		Shifts:   selectShifts,
		Closings: selectClosings,
		Native:   Vector,
		Shapes: map[Shape]Use{
			Vector: {
				Phrases: []string{"one value per unvisited node", "each unvisited node", "per candidate", "each candidate"},
				Returns: "np.ndarray",
				Doc:     "returns one value per unvisited node",
				Terms:   []string{"X", "X", "X", "X * left", "X * (1.0 - left)", "X * here", "(X - X.min())"},
				Neutral: "np.zeros(len(unvisited_nodes))",
				Wrap:    "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float)), len(unvisited_nodes))",
			},
			Matrix: {
				Phrases: []string{"matrix", "per pair", "each pair"},
				Returns: "np.ndarray",
				Doc:     "returns a matrix with one value per pair of unvisited nodes",
				Terms:   []string{"X.mean(axis=1)", "X.min(axis=1)", "X.max(axis=1)", "np.median(X, axis=1)"},
				Neutral: "np.zeros((len(unvisited_nodes), len(unvisited_nodes)))",
				Wrap:    "X = np.nan_to_num(np.asarray(X, dtype=float)).reshape(len(unvisited_nodes), -1)",
			},
			Scalar: {
				Phrases: []string{"float"},
				Returns: "float",
				Doc:     "returns one number",
				Terms:   []string{"X * home", "X * nearest", "np.abs(here - X)", "np.maximum(here - X, 0.0)", "X * remote", "(here > X)", "X * here"},
				Neutral: "0.0",
				Wrap:    "X = float(np.mean(np.nan_to_num(X)))",
			},
			Index: {
				Phrases: []string{"int"},
				Returns: "int",
				Doc:     "returns the index of a node",
				Terms:   []string{"(unvisited_nodes != X)", "distance_matrix[unvisited_nodes, X]", "distance_matrix[X, unvisited_nodes] * left"},
				Neutral: "int(unvisited_nodes[0])",
			},
		},
		Each: "node", Over: "unvisited_nodes",
		Spare: map[string]string{
			"k": "3", "candidate": "int(unvisited_nodes[0])", "candidate_node": "int(unvisited_nodes[0])", "next_node": "int(unvisited_nodes[0])",
			"cumulative_distance": "0.0", "start_node": "destination_node", "depth": "2", "alpha": "0.5", "beta": "0.5",
		},
		Scalars: selectScalars,
		Indices: selectIndices,
		Helpers: selectHelpers,
		Faults: Faults{
			Raises: []string{
				"step_cost = distance_matrix[current_node, distance_matrix.shape[0]]",
				"score = score + penalty_weight * here",
				"score = score + np.ones(len(unvisited_nodes) + 1)",
				"unvisited_nodes.remove(current_node)",
				"ranking = np.rank_nodes(score)",
				"best_edge = {}[int(unvisited_nodes[0])]",
				"visited = [node for node in range(len(distance_matrix)) if node not in unvisited_nodes]\nlast_leg = distance_matrix[visited[-1], visited[len(visited)]]",
			},
			Invalid: []string{
				"return int(np.argmin(score))",
				"return destination_node",
				"return float(unvisited_nodes[np.argmin(score)])",
				"return unvisited_nodes[np.argsort(score)[:1]]",
				"best = int(unvisited_nodes[np.argmin(score)])",
				"return current_node",
			},
			Loops: []string{
				"position = 0\nwhile position < len(unvisited_nodes):\n    if here[position] < 0.0:\n        position += 1",
				"changed = True\nwhile changed:\n    changed = len(unvisited_nodes) > 1",
			},
			Slow: []string{
				"total = 0.0\nfor first in unvisited_nodes:\n    for second in unvisited_nodes:\n        for third in unvisited_nodes[:6]:\n            total += distance_matrix[first, second] + distance_matrix[second, third]",
			},
		},
	}
}

var selectDefinitions = []Definition{
	{"count", "count = len(unvisited_nodes)", "the number of nodes left"},
	{"left", "left = len(unvisited_nodes) / distance_matrix.shape[0]", "the share of nodes left"},
	{"here", "here = distance_matrix[current_node, unvisited_nodes]", "the distance from the current node"},
	{"home", "home = distance_matrix[unvisited_nodes, destination_node]", "the distance back to the destination"},
	{"between", "between = distance_matrix[np.ix_(unvisited_nodes, unvisited_nodes[:@{8|10|12|16}])]", "the distances from unvisited nodes to the nearest few"},
	{"ordered", "ordered = np.sort(between, axis=1)", "sorted neighbour distances"},
	{"nearest", "nearest = ordered[:, 1]", "the distance to the nearest other unvisited node"},
	{"crowd", "crowd = ordered[:, 1:@{4|5|6|7|8}].mean(axis=1)", "the mean distance to a few nearest neighbours"},
	{"remote", "remote = between.mean(axis=1)", "the mean distance to the unvisited nodes around"},
	{"spread", "spread = between.std(axis=1)", "the spread of distances to unvisited nodes"},
	{"farthest", "farthest = between.max(axis=1)", "the distance to the farthest unvisited node"},
	{"median", "median = np.median(between, axis=1)", "the median distance to unvisited nodes"},
	{"regret", "regret = ordered[:, min(2, ordered.shape[1] - 1)] - ordered[:, 1]", "the regret between first and second nearest neighbour"},
	{"place", "place = np.argsort(np.argsort(here)) / len(unvisited_nodes)", "the rank by distance"},
	{"medoid", "medoid = unvisited_nodes[np.argmin(between.sum(axis=1))]", "the most central unvisited node"},
	{"pull", "pull = distance_matrix[unvisited_nodes, medoid]", "the distance to the centre of the unvisited nodes"},
	{"outpost", "outpost = unvisited_nodes[np.argmax(home)]", "the unvisited node farthest from the destination"},
	{"reach", "reach = distance_matrix[unvisited_nodes, outpost]", "the distance to the farthest outpost"},
	{"detour", "detour = here + home - distance_matrix[current_node, destination_node]", "the detour on the way to the destination"},
	{"density", "density = (between < @{0.08~0.4}).mean(axis=1)", "how many neighbours lie within a radius"},
	{"warmth", "warmth = np.exp(-between / @{0.05~0.4}).mean(axis=1)", "a kernel density of unvisited nodes"},
	{"typical", "typical = distance_matrix[unvisited_nodes].mean(axis=1)", "the mean distance to all nodes of the instance"},
	{"seen", "seen = np.setdiff1d(np.arange(distance_matrix.shape[0]), unvisited_nodes)", "the visited nodes"},
	{"trail", "trail = distance_matrix[np.ix_(unvisited_nodes, seen)].min(axis=1)", "the distance to the tour built so far"},
	{"closed", "closed = np.where(between > 0.0, between, 9.0)", "distances among unvisited nodes without loops"},
	{"successor", "successor = closed.argmin(axis=1)", "the nearest successor"},
	{"ahead", "ahead = nearest + nearest[successor]", "the length of the next two steps"},
	{"popular", "popular = np.bincount(successor, minlength=len(unvisited_nodes))", "how many nodes have a candidate as their nearest neighbour"},
	{"swerve", "swerve = (closed + here[:closed.shape[1]]).min(axis=1) - here", "the cost of coming back for a node later"},
	{"stranded", "stranded = np.maximum(nearest - here, 0.0)", "how much is lost when a node is left behind"},
	{"stretch", "stretch = here / (nearest + 1e-9)", "the step relative to the nearest neighbour's distance"},
	{"zscore", "zscore = (here - here.mean()) / (here.std() + 1e-9)", "the standardised distance"},
	{"gap", "gap = here - here.min()", "the extra length over the shortest step"},
	{
		"glance", `foot = np.arange(len(unvisited_nodes))
barred = np.zeros_like(between)
glance = np.zeros(len(unvisited_nodes))
for _ in range(@{2|3}):
    choice = closed[foot] + barred
    foot = choice.argmin(axis=1)
    glance = glance + choice[np.arange(len(foot)), foot]
    barred[np.arange(len(foot)), foot] = 9.0`, "the length of a few greedy steps ahead",
	},
}

var selectMain = []Phrase{
	{Code: "here", Says: "the distance from the current node"},
	{Code: "here", Says: "the distance from the current node"},
	{Code: "here", Says: "the distance from the current node"},
	{Code: "here ** @{0.6~1.6}", Says: "a power of the distance from the current node"},
	{Code: "np.log(here + @{0.01~0.2})", Says: "the logarithm of the distance"},
	{Code: "here / here.max()", Says: "the distance relative to the longest step"},
	{Code: "zscore", Says: "the standardised distance"},
	{Code: "place", Says: "the rank by distance"},
	{Code: "gap", Says: "the extra length over the shortest step"},
}

var selectTerms = []Term{
	{Name: "return_distance", Code: "home", Says: "the distance back to the destination"},
	{Name: "isolation", Code: "nearest", Says: "the distance to the nearest other unvisited node"},
	{Name: "crowding", Code: "crowd", Says: "the mean distance to a few nearest neighbours"},
	{Name: "remoteness", Code: "remote", Says: "the mean distance to the unvisited nodes around"},
	{Name: "spread", Code: "spread", Says: "the spread of distances to unvisited nodes"},
	{Name: "eccentricity", Code: "farthest", Says: "the distance to the farthest unvisited node"},
	{Name: "median_distance", Code: "median", Says: "the median distance to unvisited nodes"},
	{Name: "regret", Code: "regret", Says: "the regret between first and second nearest neighbour"},
	{Name: "centre_distance", Code: "pull", Says: "the distance to the centre of the unvisited nodes"},
	{Name: "outpost_distance", Code: "reach", Says: "the distance to the farthest outpost"},
	{Name: "detour", Code: "np.maximum(detour, 0.0)", Says: "the detour on the way to the destination"},
	{Name: "density", Code: "density", Says: "how many neighbours lie within a radius"},
	{Name: "warmth", Code: "warmth", Says: "a kernel density of unvisited nodes"},
	{Name: "typical_distance", Code: "typical", Says: "the mean distance to all nodes of the instance"},
	{Name: "trail_distance", Code: "trail", Says: "the distance to the tour built so far"},
	{Name: "two_steps", Code: "ahead", Says: "the length of the next two steps"},
	{Name: "popularity", Code: "popular / len(unvisited_nodes)", Says: "how many nodes have a candidate as their nearest neighbour"},
	{Name: "comeback_cost", Code: "swerve", Says: "the cost of coming back for a node later", Signed: true},
	{Name: "stranding", Code: "stranded", Says: "how much is lost when a node is left behind"},
	{Name: "stretch", Code: "np.minimum(stretch, @{2~6})", Says: "the step relative to the nearest neighbour's distance"},
	{Name: "rank", Code: "place", Says: "the rank by distance"},
	{Name: "lookahead", Code: "glance", Says: "the length of a few greedy steps ahead"},
	{Name: "wave", Code: "np.sin(@{2~9} * here)", Says: "a wave of the distance", Signed: true},
	{Name: "relative_isolation", Code: "nearest / (nearest.mean() + 1e-9)", Says: "isolation relative to the average"},
	{Name: "balance", Code: "np.abs(here - home)", Says: "the balance between the way out and the way home"},
	{Name: "asymmetry", Code: "(remote - median)", Says: "the skew of distances to unvisited nodes", Signed: true},
}

var selectShifts = []Phrase{
	{Code: "if left < @{0.1~0.5}:\n    score = score + @{0.05~0.6} * home", Says: "turns towards the destination late in the tour"},
	{Code: "if left > @{0.4~0.9}:\n    score = score - @{0.05~0.5} * remote", Says: "visits remote nodes early"},
	{Code: "if left > @{0.3~0.8}:\n    score = score - @{0.05~0.5} * home", Says: "moves away from the destination early"},
	{Code: "score = np.where(here <= @{1.2~3.5} * here.min(), score, score + @{0.1~1.0})", Says: "penalises steps much longer than the shortest one"},
	{Code: "score[@{4|5|6|8|10|12}:] += @{0.1~1.0}", Says: "penalises all but a few nearest candidates"},
	{Code: "score = np.where(nearest > @{0.08~0.3}, score - @{0.02~0.3}, score)", Says: "gives isolated nodes a bonus"},
	{Code: "score = score - @{0.02~0.3} * (nearest == nearest.max())", Says: "gives the most isolated node a bonus"},
	{Code: "if here.min() > @{0.1~0.3}:\n    score = score + @{0.05~0.5} * crowd", Says: "lands in a cluster after a long jump"},
	{Code: "score = np.where(stranded > @{0.02~0.15}, score - @{0.05~0.4}, score)", Says: "picks up nodes that would be stranded"},
	{Code: "score = score + @{0.02~0.3} * (density > density.mean())", Says: "postpones dense regions"},
}

var selectClosings = []Phrase{
	{Code: "return int(unvisited_nodes[np.argmin(score)])"},
	{Code: "best = int(np.argmin(score))\nreturn int(unvisited_nodes[best])"},
	{Code: "order = np.argsort(score)\nreturn int(unvisited_nodes[order[0]])"},
	{Code: "pool = np.argsort(here)[:@{3|4|6|8|10}]\nreturn int(unvisited_nodes[pool[np.argmin(score[pool])]])", Says: "choosing among the nearest few only"},
	{Code: `best_node, best_value = unvisited_nodes[0], np.inf
for node, value in zip(unvisited_nodes, score):
    if value < best_value:
        best_node, best_value = node, value
return int(best_node)`, Says: "scanning the candidates one by one"},
	{Code: `finalists = np.argsort(score)[:@{2|3|4|5}]
follow = score[finalists] + @{0.05~0.6} * nearest[finalists]
return int(unvisited_nodes[finalists[np.argmin(follow)]])`, Says: "looking one step further for the finalists"},
	{Code: "ties = np.round(score, @{1|2|3})\nreturn int(unvisited_nodes[np.lexsort((home, ties))[0]])", Says: "breaking near ties by the way home"},
	{Code: "appeal = np.exp(-score / @{0.1~1.0})\nappeal = appeal * (1.0 + @{0.05~0.8} * remote)\nreturn int(unvisited_nodes[np.argmax(appeal)])", Says: "through an exponential appeal that favours remote nodes"},
	{Code: "pairs = score[:, None] + @{0.1~0.9} * closed\nreturn int(unvisited_nodes[np.argmin(pairs.min(axis=1))])", Says: "as the first step of the best pair"},
	{Code: `if len(unvisited_nodes) <= @{2|3|4}:
    return int(unvisited_nodes[np.argmin(here - home)])
return int(unvisited_nodes[np.argmin(score)])`, Says: "with a rule of its own for the last few nodes"},
}

var selectScalars = []Phrase{
	{Code: "float(here.mean())", Says: "the mean distance from the current node"},
	{Code: "float(np.median(here))", Says: "the median distance from the current node"},
	{Code: "float(nearest.mean())", Says: "the mean nearest-neighbour distance among the unvisited nodes"},
	{Code: "float(between.mean())", Says: "the mean distance among the unvisited nodes"},
	{Code: "float(np.quantile(here, @{0.1~0.5}))", Says: "a quantile of the distances from the current node"},
	{Code: "float(len(unvisited_nodes) / distance_matrix.shape[0])", Says: "the share of nodes left"},
	{Code: "float(here.min() / (here.mean() + 1e-9))", Says: "how clear the nearest choice is"},
	{Code: "float(home.max() - home.min())", Says: "the range of distances to the destination"},
}

var selectIndices = []Phrase{
	{Code: "int(unvisited_nodes[np.argmin(here - @{0.1~0.9} * remote)])", Says: "a near node that is remote from the others"},
	{Code: "int(unvisited_nodes[np.argmax(nearest)])", Says: "the most isolated unvisited node"},
	{Code: "int(unvisited_nodes[np.argmin(between.sum(axis=1))])", Says: "the most central unvisited node"},
	{Code: "int(unvisited_nodes[np.argmax(home)])", Says: "the unvisited node farthest from the destination"},
}
