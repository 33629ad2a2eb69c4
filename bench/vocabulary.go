package bench

import "strings"

// A Vocabulary is what the offline model (package offline) knows of a task beyond the task's
// prompts: features, rules and helper functions, as Python text. The model builds an output
// as a weighted sum or product of terms, may adjust it by shifts, and ends with a closing:
//
//	here = distance_matrix[current_node, unvisited_nodes]    # a feature, from Define
//	score = here - 0.25 * home                               # an output: Main, Terms
//	score[6:] += 0.3                                         # one of Shifts
//	return int(unvisited_nodes[np.argmin(score)])            # one of Closings
//
// In all code, "@{0.1~0.9}" is a number drawn between the bounds and "@{3|5|8}" one of the
// alternatives. Code may use what Define binds; the definitions come along.
type Vocabulary struct {
	Subject  string  // what the function rates or sets, in the plural: "candidates"
	Define   Phrases // each binds the name at its start; said as noun phrases, in order of use
	Outputs  []Output
	Shifts   Phrases // statements that adjust an output; said as verbs: "penalises long steps"
	Closings Phrases // ends of the function, the plainest first; participles: "scaled to one"
	// Shapes are what helper functions return. The first is the shape of outputs and terms.
	Shapes []Shape
	// Spare has arguments for parameters of helper functions that are not inputs of the target.
	Spare map[string]string
	// Helpers are whole helper functions in other styles than the ones that the model composes.
	Helpers string
	// Raises, Loops and Slow are faulty statements, Invalid faulty closings; said as what is wrong.
	Raises, Loops, Slow, Invalid Phrases
}

// An Output is a variable that a program builds up from terms. A controller has one per actuator.
type Output struct {
	Name     string
	Product  bool    // terms are factors, otherwise summands
	Main     Phrases // every new program has one of them as its first term
	Terms    Phrases // said as noun phrases
	Features string  // names that Define binds and that are terms as they are
	// Forms shape a term and Weights weigh it, X standing for it. A form that begins with "+"
	// needs X ≥ 0; a term that begins with "±" may be negative. New programs have the first of
	// the weights.
	Forms, Weights []string
}

// A Shape is a kind of result of helper functions, and how it enters an output.
type Shape struct {
	Returns string   // the annotation of such functions
	Words   []string // words in a docstring that tell the shape; empty: the annotation alone does
	Doc     string   // how docstrings of such functions end: "returns one number"
	Terms   []string // terms, X standing for the variable with the result
	Neutral string   // what replaces a call when the function is taken out
	Wrap    string   // statement that gives X this shape, for results of unknown shape
	Exprs   Phrases  // expressions of this shape, for helpers that the model composes
	// Each is the parameter of a function that rates one element: called for each of Over it
	// gives this shape. Empty for none.
	Each, Over string
}

// A Phrase is a piece of code with what it says in prose.
type Phrase struct{ Code, Says string }

// Phrases are read from Python text. A phrase has one line or several and ends with its
// comment, behind the code or in the line below:
//
//	home = distance_matrix[unvisited_nodes, destination_node]  # the way back
//	if left < @{0.1~0.5}:
//	    score = score + @{0.05~0.6} * home
//	# turns towards the destination late in the tour
type Phrases []Phrase

// UnmarshalText reads them, as files of vocabularies hold them.
func (p *Phrases) UnmarshalText(text []byte) error {
	var lines []string
	for line := range strings.Lines(strings.Trim(string(text), "\n") + "\n") {
		code, says, ends := strings.Cut(strings.TrimRight(line, "\n"), "# ")
		if code = strings.TrimRight(code, " "); code != "" {
			lines = append(lines, code)
		}
		if ends {
			*p = append(*p, Phrase{strings.Join(lines, "\n"), says})
			lines = nil
		}
	}
	return nil
}
