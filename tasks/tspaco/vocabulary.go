package tspaco

import "github.com/pacebench/pacebench/bench"

// vocabulary has factors of a matrix of edge attractions. The features are the usual ones of
// candidate lists and sparse graphs (inverse powers, ranks, mutual neighbours, savings,
// relative-neighbour and Gabriel tests over the nearest nodes). Lengths are ratios to those around
// a city, so that a program means the same on 50 cities and on 1000. Every factor is weak: ants
// need several, or a few that are sharper, before they keep to good edges. Every one costs at most
// k·n² operations, so that a program also fits the test instances of 1000 cities.
var vocabulary = bench.Vocabulary{
	Subject: "edges",
	Define: bench.Phrases(`
n = distance_matrix.shape[0]  # the number of cities
ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)  # neighbour ranks
mutual = np.maximum(ranks, ranks.T)  # mutual neighbour ranks
local = np.sort(distance_matrix, axis=1)[:, :@{3|4|5|8}].mean(axis=1)
# the local scale around a city
scaled = distance_matrix / np.sqrt(np.outer(local, local))  # distance in units of the local scale
inverse = 1.0 / (scaled + 1e-6)  # inverse distance
relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)
# distance relative to the row's mean
remote = distance_matrix.mean(axis=1)  # the mean distance of a city
saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)
# the saving of joining two remote cities
shortest = distance_matrix.min(axis=1)  # the shortest edge of a city
near = np.argsort(distance_matrix, axis=1)[:, :@{4|6|8|10}]  # the nearest neighbours
hop = np.full_like(distance_matrix, np.inf)
for c in range(near.shape[1]):
    via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
    hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))
# the longest leg of the best detour over a near city
circle = np.full_like(distance_matrix, np.inf)
for c in range(near.shape[1]):
    via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
    circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)
# the squared legs of the best detour over a near city
radius = np.sort(distance_matrix, axis=1)[:, @{6|8|10|12|16}][:, None]
# the distance of each city to one of its nearest neighbours
`),
	Outputs: []bench.Output{{
		Name:    "heuristic",
		Product: true,
		Main: bench.Phrases(`
inverse ** @{0.2~0.8}  # a power of the inverse distance
inverse ** @{0.2~0.8}  # a power of the inverse distance
np.exp(-scaled * @{0.05~0.3})  # an exponential of the distance
1.0 / (1.0 + ranks) ** @{0.15~0.6}  # a power of the neighbour rank
1.0 / (scaled + @{1~6})  # inverse distance with an offset
relative ** -@{0.2~0.8}  # a power of the distance relative to the row's mean
`),
		Features: `inverse saving`,
		Terms: bench.Phrases(`
1.0 / (1.0 + ranks)  # neighbour ranks
1.0 / (1.0 + mutual)  # mutual neighbour ranks
((ranks < @{5|8|10|12|15}) + @{0.4~2.0})  # a list of nearest neighbours
((mutual < @{5|8|10|12|15}) + @{0.4~2.0})  # a list of mutual neighbours
np.exp(-scaled * @{0.05~0.4})  # an exponential of the distance
np.exp(-relative * @{0.3~2})  # a decay in the row's mean distance
1.0 / (scaled + @{0.5~4})  # distance in units of the local scale
inverse / inverse.sum(axis=1, keepdims=True)  # each edge's share in its row
inverse / inverse.sum(axis=0, keepdims=True)  # each edge's share in its column
(shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)
# the shortest edges of both cities against this one
np.minimum(hop / (distance_matrix + 1e-6), @{1~4})  # a relative-neighbour test over near cities
np.minimum(circle / (distance_matrix ** 2 + 1e-6), @{1~4})  # a Gabriel test over near cities
((distance_matrix <= radius) + @{0.4~2.0})  # a radius around each city
(remote[:, None] + remote[None, :])  # the remoteness of both cities
(1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6
# closeness against the longest edge
(1.0 + @{0.1~0.9} * np.sin(@{0.3~3} * scaled))  # a wave of the distance
np.exp(-ranks / @{8~40})  # a decay over neighbour ranks
`),
		Forms: []string{
			"X", "X", "X", "X", "np.sqrt(X)", "(@{0.1~1.0} + X)", "np.log1p(X)", "(X / X.mean())",
		},
		Weights: []string{
			"X ** @{0.1~0.4}", "X ** @{0.2~0.8}", "(@{0.3~1.5} + X)", "(1.0 + @{0.1~2.0} * X)",
		},
	}},
	Shifts: bench.Phrases(`
heuristic = np.where(ranks < @{5|8|10|12|15}, heuristic, heuristic * @{0.3~0.8})
# weakens edges beyond the nearest neighbours
heuristic = np.where(mutual < @{4|6|8|10}, heuristic * @{1.1~2.0}, heuristic)
# strengthens mutual neighbours
heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)  # normalises each row
heuristic = heuristic / heuristic.max(axis=1, keepdims=True)  # scales each row to one
heuristic = 0.5 * (heuristic + heuristic.T)  # makes the matrix symmetric
heuristic = np.maximum(heuristic, heuristic.T)  # keeps the stronger direction of each edge
heuristic[distance_matrix > radius] *= @{0.3~0.8}  # weakens edges beyond a radius
heuristic = heuristic * (1.0 + @{0.2~2.0} * (ranks == 0))  # favours the nearest neighbour
`),
	Closings: bench.Phrases(`
return heuristic  # as it is
np.fill_diagonal(heuristic, 0.0)
return heuristic  # with a zero diagonal
return heuristic / heuristic.max()  # scaled to one
return np.maximum(np.nan_to_num(heuristic), 1e-9)  # with a floor
return np.clip(heuristic, 1e-9, np.quantile(heuristic, @{0.99~0.999}))
# with the strongest edges capped
cut = np.sort(heuristic, axis=1)[:, -@{8|12|16|20}][:, None]
return np.where(heuristic >= cut, heuristic, heuristic * @{0.3~0.8})  # sparsified row by row
`),
	Shapes: []bench.Shape{
		{
			Returns: "np.ndarray",
			Words:   []string{"matrix", "per pair", "each edge", "per edge", "shape (n, n)"},
			Doc:     "returns a matrix with one value per edge",
			Terms: []string{
				"np.maximum(X, 1e-9)", "(1.0 + np.abs(X))", "(@{0.1~1.0} + np.abs(X))",
				"np.sqrt(np.abs(X) + 1e-9)",
			},
			Neutral: "np.ones_like(distance_matrix)",
			Wrap: "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float), posinf=1e9), " +
				"distance_matrix.shape)",
		},
		{
			Returns: "np.ndarray",
			Words:   []string{"one value per node", "one value per city", "each city", "each node"},
			Doc:     "returns one value per city",
			Terms: []string{
				"np.exp(-@{0.1~0.6} * scaled * np.abs(X).mean() / (np.abs(X[:, None]) + 1e-9))",
				"(np.abs(X).mean() + 1e-9 + @{0.1~1.0} * np.abs(X[:, None] + X[None, :]))",
				"((scaled * X.mean() <= @{1.5~4.0} * X[:, None]) + @{0.3~1.5})",
			},
			Neutral: "np.ones(len(distance_matrix))",
			Each:    "node", Over: "range(len(distance_matrix))",
		},
		{
			Returns: "float",
			Doc:     "returns one number",
			Terms: []string{
				"np.exp(-@{0.05~0.4} * scaled / (X + 1e-9))", "((scaled < X) + @{0.4~2.0})",
				"1.0 / (scaled + X)",
			},
			Neutral: "1.0",
			Exprs: bench.Phrases(`
float(scaled.mean())  # the mean distance in units of the local scale
float(shortest.mean() / local.mean())  # the mean length of the shortest edges
float(np.quantile(scaled, @{0.05~0.3}))  # a quantile of all distances
float(local.max() / local.mean())  # the largest local scale
float(np.median(shortest) / shortest.mean())  # how clustered the cities are
`),
		},
	},
	Spare: map[string]string{
		"k": "8", "alpha": "1.0", "beta": "2.0", "power": "2.0", "i": "0", "j": "1",
		"n": "len(distance_matrix)",
	},
	Raises: bench.Phrases(`
heuristic = heuristic @ np.ones(distance_matrix.shape[0] + 1)  # shapes that do not fit
heuristic = heuristic + pheromone  # a name that nothing defines
heuristic[distance_matrix.shape[0], 0] = 0.0  # an index out of bounds
ranking = np.rank_edges(distance_matrix)  # a function that NumPy lacks
nearest_city = int(np.argsort(distance_matrix, axis=1)[:, 1])  # an array as a number
`),
	Invalid: bench.Phrases(`
return heuristic / (distance_matrix - distance_matrix)  # infinite entries
return heuristic.mean(axis=1)  # a vector
np.fill_diagonal(heuristic, np.inf)
return heuristic  # an infinite diagonal
heuristic = heuristic / heuristic.max()  # nothing returned
return heuristic[1:, 1:]  # a matrix that is too small
`),
	Loops: bench.Phrases(`
total = 1.0
while total > 0.0:
    total = float(np.abs(distance_matrix).sum())  # a condition that stays true
`),
	Slow: bench.Phrases(`
check = 0.0
for first in distance_matrix:
    for second in distance_matrix:
        for third in distance_matrix[:8]:
            check += float(np.minimum(first, second).sum() - third.sum())
# three nested loops
`),
	Helpers: `
def inverse_attraction(distance_matrix: np.ndarray) -> np.ndarray:
    """Attract by the inverse of the distance, each row scaled to its strongest edge; returns a
    matrix with one value per edge."""
    attraction = np.zeros_like(distance_matrix)
    for i in range(distance_matrix.shape[0]):
        row = 1.0 / (distance_matrix[i] ** @{0.2~0.8} + 1e-6)
        attraction[i] = row / row.max()
    return attraction

def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one
    value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :@{3|4|5|6}].mean(axis=1) / ordered.mean()

def detour_ratio(distance_matrix: np.ndarray) -> np.ndarray:
    """Compare each edge with the best detour over one of the nearest cities; returns a matrix
    with one value per edge."""
    order = np.argsort(distance_matrix, axis=1)[:, :@{4|5|6}]
    best = np.full_like(distance_matrix, np.inf)
    for c in range(order.shape[1]):
        first = distance_matrix[np.arange(len(order)), order[:, c]]
        best = np.minimum(best, first[:, None] + distance_matrix[order[:, c]])
    return np.minimum(best / (distance_matrix + 1e-6), @{1.5~3.0})

def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one
    value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < @{4|5|6|8}
    return 1.0 + @{0.1~0.8} * (close & close.T) + @{0.1~0.8} * (close | close.T)
`,
}
