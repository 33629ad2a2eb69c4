package bench

// A TaskLabel describes a task for tables and figures. It changes no score.
type TaskLabel struct {
	Title  string // "TSP-ACO"
	Unit   string // unit of a value, for axes: "mean tour length"
	Digits int    // decimal places, as in the paper's tables
	// Tolerance is the relative difference up to which two values count as equal in ranks and
	// tests; 0 means 1e-12.
	Tolerance float64
}

// A Label describes a method or a baseline for tables and figures.
type Label struct {
	Name     string // as in run headers: "mcts-ahd"
	Title    string // "MCTS-AHD"
	Style    int    // place in the palette of figures, from 1; 0: any free place
	Variants []Variant
	// Operators are the operators of a search with EAPs. They use the first places of the palette,
	// in this order.
	Operators []string
	// Tasks names the tasks whose tables show a row without a model; empty for a method.
	Tasks []string
	// Control marks a row that a search must beat.
	Control bool
	// Scheduled means that the search plans with its budget (Scheduler). LabelOf sets it.
	Scheduled bool
	// Settings describes settings of a row without a model that its configuration does not contain.
	Settings string
	// Footnote explains the numbers of a row without a model; empty: no footnote.
	Footnote string
	// Absent explains why a row without a model has no run, and how to make the run.
	Absent string
}

// A Variant is a method with other settings, e.g. an ablation.
type Variant struct {
	Name     string // as in run headers: "ts=false"
	Title    string // "w/o TS"
	Class    string // rows of one class have no line between them; empty: Name before "="
	Footnote string // below a table of variants; empty: no footnote
	Main     bool   // a row of main tables, after the method's own row; false: a row of ablations
}
