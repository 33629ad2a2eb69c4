package results

import (
	"maps"
	"math"
	"slices"
)

// diversityPoints bounds the number of points of a diversity curve, because populations change with
// almost every evaluation, and a figure cannot show so many points.
const diversityPoints = 100

// Diversity returns the distance between parents over the evaluations, from the first evaluation at
// which every run has two parents: the mean, minimum and maximum over the seeds. It skips runs
// without populations, and returns the number of runs that it used.
func (g *Group) Diversity() (points []Point, runs int) {
	var tracks []track
	step := max(1, float64(g.longest())/diversityPoints)
	for _, r := range g.Runs {
		t := track{end: float64(r.Evaluations), open: !r.Finished()}
		for _, p := range r.Populations {
			if math.IsNaN(p.Distance) {
				continue
			}
			x := step * math.Ceil(float64(p.At)/step) // the next point of the curve
			if n := len(t.xs); n > 0 && t.xs[n-1] == x {
				t.ys[n-1] = p.Distance
			} else {
				t.xs, t.ys = append(t.xs, x), append(t.ys, p.Distance)
			}
		}
		if len(t.xs) > 0 {
			tracks = append(tracks, t)
		}
	}
	return merge(tracks), len(tracks)
}

// longest returns the largest number of evaluations of a run.
func (g *Group) longest() (n int) {
	for _, r := range g.Runs {
		n = max(n, r.Evaluations)
	}
	return n
}

// An OperatorCourse has the results of an operator over the evaluations of some runs, summed over
// the seeds.
type OperatorCourse struct {
	Operator string
	Windows  []Window
}

// A Window counts the proposals of one operator between two numbers of evaluations.
type Window struct {
	From, To           int // the window contains the evaluations From+1 to To
	Compared, Improved int // proposals; see Proposal
	Replies, Refused   int // see Proposal
}

// OperatorCourses counts the proposals of the group's runs in windows of width evaluations.
// Operators of initialisation come first, then the other operators by name.
func (g *Group) OperatorCourses(width int) []OperatorCourse {
	longest := g.longest()
	if longest == 0 {
		return nil
	}
	windows := (longest + width - 1) / width
	courses := map[string][]Window{}
	for _, r := range g.Runs {
		for _, p := range r.Proposals {
			if courses[p.Operator] == nil {
				courses[p.Operator] = make([]Window, windows)
			}
			w := &courses[p.Operator][min(max(0, p.At-1)/width, windows-1)]
			w.Replies, w.Refused = w.Replies+p.Replies, w.Refused+p.Refused
			if p.Compared {
				w.Compared++
			}
			if p.Improved {
				w.Improved++
			}
		}
	}
	var out []OperatorCourse
	for _, op := range slices.SortedFunc(maps.Keys(courses), compareOperators) {
		for k := range courses[op] {
			courses[op][k].From, courses[op][k].To = k*width, min((k+1)*width, longest)
		}
		out = append(out, OperatorCourse{op, courses[op]})
	}
	return out
}

// A Story has an EAP and the programs of the population that called the EAP.
type Story struct {
	EAP    EAP
	Source *Member // the program that the EAP was extracted from; nil: no program
	// Callers are the programs that call the EAP, without Source, in the order in which they
	// entered the population.
	Callers []Member
	// SourceLeft means that the source has left the population, and After counts the callers that
	// entered later.
	SourceLeft bool
	After      int
}

// Stories returns the origin and the uses of every EAP of a run.
func (r *Run) Stories() []Story {
	out := make([]Story, len(r.EAPs))
	for i, e := range r.EAPs {
		s := Story{EAP: e}
		for _, m := range r.Members {
			switch {
			case e.From > 0 && m.Evaluation == e.From:
				if s.Source == nil {
					s.Source = &m
				} else { // a source that returned counts as one stay
					s.Source.Left = m.Left
				}
			case slices.Contains(m.Calls, e.ID):
				s.Callers = append(s.Callers, m)
			}
		}
		if s.Source != nil && s.Source.Left > 0 {
			s.SourceLeft = true
			for _, m := range s.Callers {
				if m.Entered >= s.Source.Left {
					s.After++
				}
			}
		}
		out[i] = s
	}
	return out
}
