package program

import (
	"cmp"
	"maps"
	"slices"
)

// Missing lists the names that a program would not find when target is called, sorted. Such a name
// is certainly read by the target, by the functions and classes it reaches, or by a module-level
// statement, and neither Python, the module nor given provides it. Names that may come from
// elsewhere are not missing; see Func.Missing.
func Missing(a Analysis, target string, given []string) []string {
	missing := map[string]bool{}
	add := func(names []string) {
		for _, n := range without(names, given) {
			missing[n] = true
		}
	}
	reached := append(Reached(a, target), target)
	for _, f := range a.Functions {
		if slices.Contains(reached, f.Name) {
			add(f.Missing)
		}
	}
	for _, c := range a.Classes {
		if slices.Contains(reached, c.Name) {
			add(c.Missing)
		}
	}
	for _, s := range a.Statements {
		add(s.Missing)
	}
	return slices.Sorted(maps.Keys(missing))
}

// CheckModules refuses imports of root modules that are not allowed.
func CheckModules(roots, allowed []string) error {
	refused := without(without(roots, allowed), []string{"__future__"})
	if len(refused) == 0 {
		return nil
	}
	return refuse("the code imports %s; only %s may be imported",
		quoted(refused), cmp.Or(quoted(allowed), "nothing"))
}

// among lists the names that are also in others, in their order.
func among(names, others []string) []string {
	return filtered(names, func(n string) bool { return slices.Contains(others, n) })
}

// without lists the names that are not in others, in their order.
func without(names, others []string) []string {
	return filtered(names, func(n string) bool { return !slices.Contains(others, n) })
}

func filtered[T any](all []T, keep func(T) bool) (kept []T) {
	for _, one := range all {
		if keep(one) {
			kept = append(kept, one)
		}
	}
	return kept
}
