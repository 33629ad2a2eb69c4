package bench

// A TaskLabel is how tables and figures show a task. It is wording: scores come from the runs.
type TaskLabel struct {
	Title  string // "TSP-ACO"
	Unit   string // of a value, for axes: "mean tour length"
	Digits int    // decimals, as the paper's tables print them
	// Tolerance is the relative difference up to which two values are equal in ranks and tests; 0:
	// 1e-12.
	Tolerance float64
}

// A Label is how tables and figures show a method or a baseline.
type Label struct {
	Name     string // as in results
	Title    string // "MCTS-AHD"
	Style    int    // place in the palette of figures, from 1; 0: one that is left
	Variants []Variant
	// Operators, of a search with EAPs, have the first places of the palette where those go.
	Operators []string
	// Tasks, of a row that asks no model, are those whose tables it stands in; empty for a method.
	Tasks []string
	// Control says that the row is one that a search has to beat.
	Control bool
	// Scheduled says that its search follows its budget (Scheduler): LabelOf sets it.
	Scheduled bool
	// Settings say of such a row what its configuration does not.
	Settings string
	// Footnote is what must be known of such a row besides its numbers; empty for nothing.
	Footnote string
	// Absent says of such a row why there is no run of it, and how to get one.
	Absent string
}

// A Variant is a method with other settings, e.g. an ablation.
type Variant struct {
	Name     string // as in results: "ts=false"
	Title    string // "w/o TS"
	Class    string // no rule parts rows of one class; empty: the setting that Name begins with
	Footnote string // below a table of variants; empty for none
	Main     bool   // a row of main tables, after the method's own; otherwise one of an ablation
}
