package bench

import "strings"

// A Vocabulary is the knowledge that the offline model (package offline) has of a task in addition
// to the task's prompts: features, rules and helper functions, as Python text. The model builds an
// output as a weighted sum or product of terms, may adjust it by shifts, and ends the function with
// a closing:
//
//	here = distance_matrix[current_node, unvisited_nodes]    # a feature, from Define
//	score = here - 0.25 * home                               # an output: Main, Terms
//	score[6:] += 0.3                                         # one of Shifts
//	return int(unvisited_nodes[np.argmin(score)])            # one of Closings
//
// In all code, "@{0.1~0.9}" is a random number between the bounds, and "@{3|5|8}" is one of the
// alternatives. If code uses a name that Define binds, the model adds the definition.
type Vocabulary struct {
	Subject  string  // the objects that the function rates or sets, in the plural: "candidates"
	Define   Phrases // each binds the name at its start; comments are noun phrases; in order of use
	Outputs  []Output
	Shifts   Phrases // statements that adjust an output; comments are verbs: "penalises long steps"
	Closings Phrases // function ends, plainest first; comments are participles: "scaled to one"
	// Shapes are the kinds of results of helper functions. The first is the shape of outputs and
	// terms.
	Shapes []Shape
	// Spare contains arguments for parameters of helper functions that are not inputs of the
	// target.
	Spare map[string]string
	// Helpers are whole helper functions in styles that the model itself does not write.
	Helpers string
	// Raises, Loops and Slow are faulty statements, and Invalid are faulty closings; comments name
	// the error.
	Raises, Loops, Slow, Invalid Phrases
}

// An Output is a variable that a program computes from terms. A controller has one for each
// actuator.
type Output struct {
	Name     string
	Product  bool    // terms are factors, otherwise summands
	Main     Phrases // every new program has one of them as its first term
	Terms    Phrases // comments are noun phrases
	Features string  // names that Define binds and that are terms unchanged
	// Forms shape a term and Weights weight it; X is replaced by the term. A form that begins with
	// "+" needs X ≥ 0; a term that begins with "±" may be negative. New programs use the first
	// weight.
	Forms, Weights []string
}

// A Shape is a kind of result of helper functions, and the way to use it in an output.
type Shape struct {
	Returns string   // the annotation of such functions
	Words   []string // words in a docstring that identify the shape; may be empty
	Doc     string   // how docstrings of such functions end: "returns one number"
	Terms   []string // terms; X is replaced by the variable with the result
	Neutral string   // replacement for a call when the function is removed
	Wrap    string   // statement that gives X this shape, for results of unknown shape
	Exprs   Phrases  // expressions of this shape, for helpers that the model composes
	// Each is the parameter of a function that rates one element. The function, called for each
	// element of Over, gives this shape. Empty: no such function.
	Each, Over string
}

// A Phrase is a piece of code with its description in prose.
type Phrase struct{ Code, Says string }

// Phrases are read from Python text. A phrase has one or more lines and ends with its comment,
// which is after the code or on the next line:
//
//	home = distance_matrix[unvisited_nodes, destination_node]  # the way back
//	if left < @{0.1~0.5}:
//	    score = score + @{0.05~0.6} * home
//	# turns towards the destination late in the tour
type Phrases []Phrase

// UnmarshalText reads phrases from a vocabulary file.
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
