package offline

// Heuristics is the vocabulary of TSP-ACO: factors of a matrix of edge attractions. The features are
// the usual ones of candidate lists and sparse graphs (inverse powers, ranks, mutual neighbours,
// savings, relative-neighbour and Gabriel tests over the nearest nodes); every one costs at most
// k·n² operations, so that a program also fits the test instances of 1000 cities.
func Heuristics() Vocabulary {
	return Vocabulary{
		Target:  "heuristics",
		Header:  "def heuristics(distance_matrix: np.ndarray) -> np.ndarray:",
		Subject: "edges",
		Define:  acoDefinitions,
		Outputs: []Output{{
			Name:    "heuristic",
			Product: true,
			Main:    acoMain,
			Terms:   acoTerms,
			Forms:   []string{"X", "X", "X", "X", "np.sqrt(X)", "(@{0.1~1.0} + X)", "np.log1p(X)", "(X / X.mean())"},
			Weights: []string{"X", "X ** @{0.2~1.2}", "(@{0.3~1.5} + X)", "(1.0 + @{0.1~2.0} * X)"},
		}},
		Shifts:   acoShifts,
		Closings: acoClosings,
		Native:   Matrix,
		Shapes: map[Shape]Use{
			Matrix: {
				Phrases: []string{"matrix", "per pair", "each edge", "per edge", "shape (n, n)"},
				Returns: "np.ndarray",
				Doc:     "returns a matrix with one value per edge",
				Terms:   []string{"np.maximum(X, 1e-9)", "(1.0 + np.abs(X))", "(@{0.1~1.0} + np.abs(X))", "np.sqrt(np.abs(X) + 1e-9)"},
				Neutral: "np.ones_like(distance_matrix)",
				Wrap:    "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float), posinf=1e9), distance_matrix.shape)",
			},
			Vector: {
				Phrases: []string{"one value per node", "one value per city", "each city", "each node"},
				Returns: "np.ndarray",
				Doc:     "returns one value per city",
				Terms:   []string{"np.exp(-distance_matrix / (X[:, None] + 1e-9))", "(1.0 + @{0.1~1.0} * np.abs(X[:, None] + X[None, :]))", "(distance_matrix <= @{1.5~4.0} * X[:, None]) + @{0.01~0.3}"},
				Neutral: "np.ones(len(distance_matrix))",
				Wrap:    "X = np.resize(np.nan_to_num(np.asarray(X, dtype=float), posinf=1e9), len(distance_matrix))",
			},
			Scalar: {
				Phrases: []string{"float"},
				Returns: "float",
				Doc:     "returns one number",
				Terms:   []string{"np.exp(-distance_matrix / (@{0.3~2.0} * X + 1e-9))", "((distance_matrix < X) + @{0.01~0.4})", "1.0 / (distance_matrix + X)"},
				Neutral: "1.0",
				Wrap:    "X = float(np.mean(np.nan_to_num(X)))",
			},
		},
		Each: "node", Over: "range(len(distance_matrix))",
		Spare:   map[string]string{"k": "8", "alpha": "1.0", "beta": "2.0", "power": "2.0", "i": "0", "j": "1", "n": "len(distance_matrix)"},
		Scalars: acoScalars,
		Helpers: acoHelpers,
		Faults: Faults{
			Raises: []string{
				"heuristic = heuristic @ np.ones(distance_matrix.shape[0] + 1)",
				"heuristic = heuristic + pheromone",
				"heuristic[distance_matrix.shape[0], 0] = 0.0",
				"ranking = np.rank_edges(distance_matrix)",
				"nearest_city = int(np.argsort(distance_matrix, axis=1)[:, 1])",
			},
			Invalid: []string{
				"return heuristic / (distance_matrix - distance_matrix)",
				"return heuristic.mean(axis=1)",
				"np.fill_diagonal(heuristic, np.inf)\nreturn heuristic",
				"heuristic = heuristic / heuristic.max()",
				"return heuristic[1:, 1:]",
			},
			Loops: []string{
				"total = 1.0\nwhile total > 0.0:\n    total = float(np.abs(distance_matrix).sum())",
			},
			Slow: []string{
				"check = 0.0\nfor first in distance_matrix:\n    for second in distance_matrix:\n        for third in distance_matrix[:8]:\n            check += float(np.minimum(first, second).sum() - third.sum())",
			},
		},
	}
}

var acoDefinitions = []Definition{
	{"n", "n = distance_matrix.shape[0]", "the number of cities"},
	{"inverse", "inverse = 1.0 / (distance_matrix + 1e-6)", "inverse distance"},
	{"ranks", "ranks = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)", "neighbour ranks"},
	{"mutual", "mutual = np.maximum(ranks, ranks.T)", "mutual neighbour ranks"},
	{"local", "local = np.sort(distance_matrix, axis=1)[:, :@{3|4|5|8}].mean(axis=1)", "the local scale around a city"},
	{"scaled", "scaled = distance_matrix / np.sqrt(np.outer(local, local))", "distance in units of the local scale"},
	{"relative", "relative = distance_matrix / distance_matrix.mean(axis=1, keepdims=True)", "distance relative to the row's mean"},
	{"remote", "remote = distance_matrix.mean(axis=1)", "the mean distance of a city"},
	{"saving", "saving = np.maximum(remote[:, None] + remote[None, :] - distance_matrix, 1e-9)", "the saving of joining two remote cities"},
	{"shortest", "shortest = distance_matrix.min(axis=1)", "the shortest edge of a city"},
	{"near", "near = np.argsort(distance_matrix, axis=1)[:, :@{4|6|8|10}]", "the nearest neighbours"},
	{
		"hop", `hop = np.full_like(distance_matrix, np.inf)
for c in range(near.shape[1]):
    via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
    hop = np.minimum(hop, np.maximum(via, distance_matrix[near[:, c]]))`, "the longest leg of the best detour over a near city",
	},
	{
		"circle", `circle = np.full_like(distance_matrix, np.inf)
for c in range(near.shape[1]):
    via = distance_matrix[np.arange(len(near)), near[:, c]][:, None]
    circle = np.minimum(circle, via ** 2 + distance_matrix[near[:, c]] ** 2)`, "the squared legs of the best detour over a near city",
	},
	{"threshold", "threshold = np.quantile(distance_matrix, @{0.05~0.5})", "a quantile of all distances"},
}

var acoMain = []Phrase{
	{Code: "inverse ** @{0.3~1.8}", Says: "a power of the inverse distance"},
	{Code: "inverse ** @{0.3~1.8}", Says: "a power of the inverse distance"},
	{Code: "inverse", Says: "inverse distance"},
	{Code: "np.exp(-distance_matrix / @{0.1~0.8})", Says: "an exponential of the distance"},
	{Code: "1.0 / (1.0 + ranks) ** @{0.3~1.5}", Says: "a power of the neighbour rank"},
	{Code: "1.0 / (scaled + @{0.05~0.5})", Says: "inverse distance in units of the local scale"},
	{Code: "1.0 / (relative + @{0.02~0.3})", Says: "inverse distance relative to the row's mean"},
}

var acoTerms = []Term{
	{Name: "inverse_distance", Code: "inverse", Says: "inverse distance"},
	{Name: "rank_attraction", Code: "1.0 / (1.0 + ranks)", Says: "neighbour ranks"},
	{Name: "mutual_attraction", Code: "1.0 / (1.0 + mutual)", Says: "mutual neighbour ranks"},
	{Name: "near_mask", Code: "((ranks < @{5|8|10|12|15}) + @{0.01~0.4})", Says: "a list of nearest neighbours"},
	{Name: "mutual_mask", Code: "((mutual < @{5|8|10|12|15}) + @{0.01~0.4})", Says: "a list of mutual neighbours"},
	{Name: "softened_distance", Code: "np.exp(-distance_matrix / @{0.05~0.6})", Says: "an exponential of the distance"},
	{Name: "mean_scaled_decay", Code: "np.exp(-relative * @{1~6})", Says: "a decay in the row's mean distance"},
	{Name: "local_scale", Code: "1.0 / (scaled + @{0.05~0.5})", Says: "distance in units of the local scale"},
	{Name: "row_share", Code: "inverse / inverse.sum(axis=1, keepdims=True)", Says: "each edge's share in its row"},
	{Name: "column_share", Code: "inverse / inverse.sum(axis=0, keepdims=True)", Says: "each edge's share in its column"},
	{Name: "saving", Code: "saving", Says: "the saving of joining two remote cities"},
	{Name: "shortest_ratio", Code: "(shortest[:, None] + shortest[None, :]) / (2.0 * distance_matrix + 1e-6)", Says: "the shortest edges of both cities against this one"},
	{Name: "lune", Code: "np.minimum(hop / (distance_matrix + 1e-6), @{1~4})", Says: "a relative-neighbour test over near cities"},
	{Name: "gabriel", Code: "np.minimum(circle / (distance_matrix ** 2 + 1e-6), @{1~4})", Says: "a Gabriel test over near cities"},
	{Name: "threshold_mask", Code: "((distance_matrix <= threshold) + @{0.01~0.4})", Says: "a threshold at a quantile of all distances"},
	{Name: "remoteness", Code: "(remote[:, None] + remote[None, :])", Says: "the remoteness of both cities"},
	{Name: "far_ratio", Code: "(1.0 - distance_matrix / (distance_matrix.max() + 1e-6)) + 1e-6", Says: "closeness against the longest edge"},
	{Name: "wave", Code: "(1.0 + @{0.1~0.9} * np.sin(@{1~9} * distance_matrix))", Says: "a wave of the distance"},
	{Name: "rank_decay", Code: "np.exp(-ranks / @{1.5~12})", Says: "a decay over neighbour ranks"},
}

var acoShifts = []Phrase{
	{Code: "heuristic = np.where(ranks < @{5|8|10|12|15}, heuristic, heuristic * @{0.001~0.4})", Says: "weakens edges beyond the nearest neighbours"},
	{Code: "heuristic = np.where(mutual < @{4|6|8|10}, heuristic * @{1.1~3.0}, heuristic)", Says: "strengthens mutual neighbours"},
	{Code: "heuristic = heuristic / heuristic.sum(axis=1, keepdims=True)", Says: "normalises each row"},
	{Code: "heuristic = heuristic / heuristic.max(axis=1, keepdims=True)", Says: "scales each row to one"},
	{Code: "heuristic = 0.5 * (heuristic + heuristic.T)", Says: "makes the matrix symmetric"},
	{Code: "heuristic = np.maximum(heuristic, heuristic.T)", Says: "keeps the stronger direction of each edge"},
	{Code: "heuristic[distance_matrix > threshold] *= @{0.001~0.5}", Says: "weakens edges above a quantile"},
	{Code: "heuristic = heuristic * (1.0 + @{0.2~2.0} * (ranks == 0))", Says: "favours the nearest neighbour"},
}

var acoClosings = []Phrase{
	{Code: "return heuristic"},
	{Code: "np.fill_diagonal(heuristic, 0.0)\nreturn heuristic", Says: "with a zero diagonal"},
	{Code: "return heuristic / heuristic.max()", Says: "scaled to one"},
	{Code: "return np.maximum(np.nan_to_num(heuristic), 1e-9)", Says: "with a floor"},
	{Code: "return np.clip(heuristic, 1e-9, np.quantile(heuristic, @{0.99~0.999}))", Says: "with the strongest edges capped"},
	{Code: "cut = np.quantile(heuristic, @{0.3~0.9}, axis=1, keepdims=True)\nreturn np.where(heuristic >= cut, heuristic, heuristic * @{0.001~0.3})", Says: "sparsified row by row"},
}

var acoScalars = []Phrase{
	{Code: "float(distance_matrix.mean())", Says: "the mean distance"},
	{Code: "float(shortest.mean())", Says: "the mean length of the shortest edges"},
	{Code: "float(np.quantile(distance_matrix, @{0.05~0.5}))", Says: "a quantile of all distances"},
	{Code: "float(local.max())", Says: "the largest local scale"},
	{Code: "float(np.median(shortest) / (distance_matrix.mean() + 1e-9))", Says: "how clustered the cities are"},
}

var acoHelpers = []Phrase{
	{Code: `def inverse_square_attraction(distance_matrix: np.ndarray) -> np.ndarray:
    """Attract by the inverse square of the distance, each row scaled to its strongest edge; returns a matrix with one value per edge."""
    attraction = np.zeros_like(distance_matrix)
    for i in range(distance_matrix.shape[0]):
        row = 1.0 / (distance_matrix[i] ** 2 + 1e-6)
        attraction[i] = row / row.max()
    return attraction`},
	{Code: `def local_density(distance_matrix: np.ndarray) -> np.ndarray:
    """Measure how closely a city is surrounded, as the mean of its shortest edges; returns one value per city."""
    ordered = np.sort(distance_matrix, axis=1)
    return ordered[:, :@{3|4|5|6}].mean(axis=1)`},
	{Code: `def detour_ratio(distance_matrix: np.ndarray) -> np.ndarray:
    """Compare each edge with the best detour over one of the nearest cities; returns a matrix with one value per edge."""
    order = np.argsort(distance_matrix, axis=1)[:, :@{4|5|6}]
    best = np.full_like(distance_matrix, np.inf)
    for c in range(order.shape[1]):
        first = distance_matrix[np.arange(len(order)), order[:, c]]
        best = np.minimum(best, first[:, None] + distance_matrix[order[:, c]])
    return best / (distance_matrix + 1e-6)`},
	{Code: `def mutual_neighbour_bonus(distance_matrix: np.ndarray) -> np.ndarray:
    """Mark edges whose two cities are among each other's nearest; returns a matrix with one value per edge."""
    position = np.argsort(np.argsort(distance_matrix, axis=1), axis=1)
    close = position < @{4|5|6|8}
    return 1.0 * (close & close.T) + @{0.05~0.5} * (close | close.T)`},
}
