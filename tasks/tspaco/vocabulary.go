package tspaco

import "github.com/pacebench/pacebench/bench"

// vocabulary has factors of a matrix of edge attractions. The features are the usual ones of
// candidate lists and sparse graphs (inverse powers, ranks, mutual neighbours, savings,
// relative-neighbour and Gabriel tests over the nearest nodes). Every one costs at most k·n²
// operations, so that a program also fits the test instances of 1000 cities.
var vocabulary = bench.Vocabulary{
	Subject: "edges",
	Define: bench.Phrases(`
n = distance_matrix.shape[0]  # the number of cities
inverse = 1.0 / (distance_matrix + 1e-6)  # inverse distance
ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)  # neighbour ranks
mutual = np.maximum(ranks, ranks.T)  # mutual neighbour ranks
local = np.sort(distance_matrix, axis=1)[:, :@{3|4|5|8}].mean(axis=1)
# the local scale around a city
scaled = distance_matrix / np.sqrt(np.outer(local, local))  # distance in units of the local scale
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
threshold = np.quantile(distance_matrix, @{0.05~0.5})  # a quantile of all distances
`),
	Outputs: []bench.Output{{
		Name:    "heuristic",
		Product: true,
		Main: bench.Phrases(`
inverse ** @{0.3~1.8}  # a power of the inverse distance
inverse ** @{0.3~1.8}  # a power of the inverse distance
inverse  # inverse distance
np.exp(-distance_matrix / @{0.1~0.8})  # an exponential of the distance
1.0 / (1.0 + ranks) ** @{0.3~1.5}  # a power of the neighbour rank
1.0 / (scaled + @{0.05~0.5})  # inverse distance in units of the local scale
1.0 / (relative + @{0.02~0.3})  # inverse distance relative to the row's mean
`),
		Features: `inverse saving`,
		Terms: bench.Phrases(`
1.0 / (1.0 + ranks)  # neighbour ranks
1.0 / (1.0 + mutual)  # mutual neighbour ranks
((ranks < @{5|8|10|12|15}) + @{0.01~0.4})  # a list of nearest neighbours
((mutual < @{5|8|10|12|15}) + @{0.01~0.4})  # a list of mutual neighbours
np.exp(-distance_matrix / @{0.05~0.6})  # an exponential of the distance
np.exp(-relative * @{1~6})  # a decay in the row's mean distance
1.0 / (scaled + @{0.05~0.5})  # distance in units of the local scale
inverse / inverse.sum(axis=1, keepdims=True)  # each edge's share in its row
inverse / inverse.sum(axis=0, keepdims=True)  # each edge's share in its column
(shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)
# the shortest edges of both cities against this one
np.minimum(hop / (distance_matrix + 1e-6), @{1~4})  # a relative-neighbour test over near cities
np.minimum(circle / (distance_matrix ** 2 + 1e-6), @{1~4})  # a Gabriel test over near cities
((distance_matrix <= threshold) + @{0.01~0.4})  # a threshold at a quantile of all distances
(remote[:, None] + remote[None, :])  # the remoteness of both cities
(1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6
# closeness against the longest edge
(1.0 + @{0.1~0.9} * np.sin(@{1~9} * distance_matrix))  # a wave of the distance
np.exp(-ranks / @{1.5~12})  # a decay over neighbour ranks
`),
		Forms: []string{
			"X", "X", "X", "X", "np.sqrt(X)", "(@{0.1~1.0} + X)", "np.log1p(X)", "(X / X.mean())",
		},
		Weights: []string{"X", "X ** @{0.2~1.2}", "(@{0.3~1.5} + X)", "(1.0 + @{0.1~2.0} * X)"},
	}},
	Shifts: bench.Phrases(`
heuristic = np.where(ranks < @{5|8|10|12|15}, heuristic, heuristic * @{0.001~0.4})
# weakens edges beyond the nearest neighbours
heuristic = np.where(mutual < @{4|6|8|10}, heuristic * @{1.1~3.0}, heuristic)
# strengthens mutual neighbours
heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)  # normalises each row
heuristic = heuristic / heuristic.max(axis=1, keepdims=True)  # scales each row to one
heuristic = 0.5 * (heuristic + heuristic.T)  # makes the matrix symmetric
heuristic = np.maximum(heuristic, heuristic.T)  # keeps the stronger direction of each edge
heuristic[distance_matrix > threshold] *= @{0.001~0.5}  # weakens edges above a quantile
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
cut = np.quantile(heuristic, @{0.3~0.9}, axis=1, keepdims=True)
return np.where(heuristic >= cut, heuristic, heuristic * @{0.001~0.3})  # sparsified row by row
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
				"np.exp(-distance_matrix / (X[:, None] + 1e-9))",
				"(1.0 + @{0.1~1.0} * np.abs(X[:, None] + X[None, :]))",
				"((distance_matrix <= @{1.5~4.0} * X[:, None]) + @{0.01~0.3})",
			},
			Neutral: "np.ones(len(distance_matrix))",
			Each:    "node", Over: "range(len(distance_matrix))",
		},
		{
			Returns: "float",
			Doc:     "returns one number",
			Terms: []string{
				"np.exp(-distance_matrix / (@{0.3~2.0} * X + 1e-9))",
				"((distance_matrix < X) + @{0.01~0.4})", "1.0 / (distance_matrix + X)",
			},
			Neutral: "1.0",
			Exprs: bench.Phrases(`
float(distance_matrix.mean())  # the mean distance
float(shortest.mean())  # the mean length of the shortest edges
float(np.quantile(distance_matrix, @{0.05~0.5}))  # a quantile of all distances
float(local.max())  # the largest local scale
float(np.median(shortest) / (distance_matrix.mean() + 1e-9))  # how clustered the cities are
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
def inverse_square_attraction(distance_matrix: np.ndarray) -> np.ndarray:
    """Attract by the inverse square of the distance, each row scaled to its strongest edge;
    returns a matrix with one value per edge."""
    attraction = np.zeros_like(distance_matrix)
    for i in range(distance_matrix.shape[0]):
        row = 1.0 / (distance_matrix[i] ** 2 + 1e-6)
        attraction[i] = row / row.max()
    return attraction

def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one
    value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :@{3|4|5|6}].mean(axis=1)

def detour_ratio(distance_matrix: np.ndarray) -> np.ndarray:
    """Compare each edge with the best detour over one of the nearest cities; returns a matrix
    with one value per edge."""
    order = np.argsort(distance_matrix, axis=1)[:, :@{4|5|6}]
    best = np.full_like(distance_matrix, np.inf)
    for c in range(order.shape[1]):
        first = distance_matrix[np.arange(len(order)), order[:, c]]
        best = np.minimum(best, first[:, None] + distance_matrix[order[:, c]])
    return best / (distance_matrix + 1e-6)

def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one
    value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < @{4|5|6|8}
    return 1.0 * (close & close.T) + @{0.05~0.5} * (close | close.T)
`,
}
