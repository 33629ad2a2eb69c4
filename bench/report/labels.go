package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// A taskLabel is how a task is written in tables and figures. Scores come from the runs; this is wording only.
type taskLabel struct {
	id, title string
	unit      string // of a training value, with the y axis
	digits    int    // decimals, as the paper's tables print them
	minimize  bool   // for rows without a scored program; otherwise the scores say it
	splits    []splitLabel
}

type splitLabel struct {
	id, title string
	inDomain  bool // the scale of the training instances
}

var tspSplits = []splitLabel{{"test50", "n=50", true}, {"test200", "n=200", false}, {"test500", "n=500", false}, {"test1000", "n=1000", false}}

// taskLabels are in the order of the paper's tables. A task that is not listed is shown under its own name.
var taskLabels = []taskLabel{
	{"car-racing", "Racing Car", "track coverage (%)", 2, false, []splitLabel{{"test", "Test", false}}},
	{"bipedal-walker", "Bipedal Walker", "mean episode return", 2, false, []splitLabel{{"test", "Test", false}}},
	{"tsp-aco", "TSP-ACO", "mean tour length", 3, true, tspSplits},
	{"tsp-construct", "TSP-Construct", "mean tour length", 3, true, tspSplits},
}

// methodTitles are in the order of the paper's tables: rows without a search first, PACE last.
var methodTitles = []struct{ id, title string }{
	{"greedy", "Greedy Construct"}, {"aco", "ACO"},
	{"deepaco", "DeepACO (k = 10 at every size, fits the published row)"},
	{"deepaco-train-k", "DeepACO (k as trained)"},
	{"ppo", "PPO"},
	{"randsample", "Random sampling"},
	{"eoh", "EoH"}, {"reevo", "ReEvo"}, {"mcts-ahd", "MCTS-AHD"}, {"hsevo", "HSEvo"}, {"mles", "MLES (cold)"},
	{"pace", "PACE"},
}

// variantTitles are PACE's ablations (table mechanism-ablation), in its order.
var variantTitles = []struct{ id, title string }{
	{"ts=false", "w/o TS"},
	{"operators=P2,P3,P4", "w/o P1"}, {"operators=P1,P3,P4", "w/o P2"}, {"operators=P1,P2,P4", "w/o P3"}, {"operators=P1,P2,P3", "w/o P4"},
	{"generation=false", "w/o EAP generation"}, {"extraction=false", "w/o EAP extraction"},
	{"k=1", "k = 1"}, {"k=5", "k = 5"},
}

// taskOf finds the label of a task. One with settings, "tsp-aco@replicates=4", is that task with the settings in its title.
func taskOf(id string) taskLabel {
	base, settings, varied := strings.Cut(id, "@")
	for _, t := range taskLabels {
		if t.id == base {
			if t.id = id; varied {
				t.title += ", " + oneLine(settings)
			}
			return t
		}
	}
	return taskLabel{id: id, title: oneLine(id), unit: "training value", digits: 3}
}

// split names a test split; one that is not listed is shown under its own name.
func (t taskLabel) split(id string) splitLabel {
	for _, s := range t.splits {
		if s.id == id {
			return s
		}
	}
	return splitLabel{id: id, title: oneLine(id)}
}

// splitsOf lists the test splits of a task that any of the runs has: the known ones in their order, then the rest by name.
func (t taskLabel) splitsOf(runs []*Run) []splitLabel {
	seen := map[string]bool{}
	for _, r := range runs {
		if r.Result == nil {
			continue
		}
		for id := range r.Result.Tests {
			seen[id] = true
		}
	}
	var out []splitLabel
	for _, s := range t.splits {
		if seen[s.id] {
			out = append(out, s)
			delete(seen, s.id)
		}
	}
	rest := make([]string, 0, len(seen))
	for id := range seen {
		rest = append(rest, id)
	}
	slices.SortFunc(rest, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for _, id := range rest {
		out = append(out, t.split(id))
	}
	return out
}

func methodTitle(id string) string {
	for _, m := range methodTitles {
		if m.id == id {
			return m.title
		}
	}
	return oneLine(id)
}

// variantNotes are the footnotes of an ablation table for what has to be known about a variant.
func variantNotes(variants []string) []string {
	var notes []string
	if v := "operators=P2,P3,P4"; slices.Contains(variants, v) {
		notes = append(notes, variantTitle(v)+": only P1 puts a first EAP into a program, so a run without it stays with I1; "+
			"the published row must come from a rule that the paper does not state.")
	}
	return notes
}

// variantTitle writes a variant as the paper does: "ts=false" is "w/o TS". Others stay as they are.
func variantTitle(variant string) string {
	for _, v := range variantTitles {
		if v.id == variant {
			return v.title
		}
	}
	return oneLine(variant)
}

// rowTitle names a row: "PACE", "PACE, w/o TS".
func rowTitle(k Key) string {
	if k.Variant == "" {
		return methodTitle(k.Method)
	}
	return methodTitle(k.Method) + ", " + variantTitle(k.Variant)
}

// modelTitle names a run's models for people: without the provider, the roles that differ behind.
func modelTitle(models string) string {
	if models == "" {
		return "–"
	}
	parts := strings.Split(models, " ")
	for i, p := range parts {
		role, name, found := strings.Cut(p, "=")
		if !found || i == 0 {
			parts[i] = shortModel(p)
			continue
		}
		parts[i] = strings.ToUpper(role) + ": " + shortModel(name)
	}
	return oneLine(strings.Join(parts, ", "))
}

// shortModel drops the provider: "openai:gpt-4o-mini" is "gpt-4o-mini".
func shortModel(name string) string { return name[strings.IndexByte(name, ':')+1:] }

func methodRank(id string) int {
	return rank(len(methodTitles), func(i int) bool { return methodTitles[i].id == id })
}

func compareTasks(a, b string) int {
	at := rank(len(taskLabels), func(i int) bool { return taskLabels[i].id == a })
	bt := rank(len(taskLabels), func(i int) bool { return taskLabels[i].id == b })
	return cmp.Or(cmp.Compare(at, bt), cmp.Compare(a, b))
}

func compareVariants(a, b string) int {
	order := func(v string) int {
		if v == "" {
			return -1
		}
		return rank(len(variantTitles), func(i int) bool { return variantTitles[i].id == v })
	}
	return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a, b))
}

// rank is the first index that holds, n when none does.
func rank(n int, holds func(int) bool) int {
	for i := range n {
		if holds(i) {
			return i
		}
	}
	return n
}

// oneLine makes foreign text fit for a terminal and a table: control characters become spaces.
func oneLine(s string) string {
	s = strings.ToValidUTF8(s, "?")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s))
}
