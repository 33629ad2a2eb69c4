package program

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Reached lists the global names that a function may call, directly or through the top-level
// functions and classes of the module, sorted. The function itself is listed if it is called again.
func Reached(a Analysis, from string) []string {
	reached := map[string]bool{}
	f, _ := a.Func(from)
	for queue := slices.Clone(f.Calls); len(queue) > 0; queue = queue[1:] {
		name := queue[0]
		if reached[name] {
			continue
		}
		reached[name] = true
		if name == from {
			continue
		}
		if f, ok := a.Func(name); ok {
			// The caller may call what a helper returns.
			queue = append(append(queue, f.Calls...), f.Escapes...)
		}
		for _, c := range a.Classes {
			if c.Name == name {
				queue = append(append(queue, c.Calls...), c.Escapes...)
			}
		}
	}
	return slices.Sorted(maps.Keys(reached))
}

// CallSet returns the elements of names that Reached lists for the target. It is C(A) of the PACE
// paper if names are the EAPs.
func CallSet(a Analysis, target string, names []string) []string {
	return among(Reached(a, target), names)
}

// CheckRebinds refuses a program that binds one of names anywhere: as a function, a class, an
// assignment, a parameter, an import, a loop variable or a global declaration.
func CheckRebinds(a Analysis, names []string) error {
	bound := slices.Clone(a.Binds)
	for _, f := range a.Functions {
		bound = append(bound, f.Binds...)
	}
	for _, c := range a.Classes {
		bound = append(bound, c.Binds...)
	}
	found := among(names, bound)
	if len(found) == 0 {
		return nil
	}
	slices.Sort(found)
	return refuse("the code defines or binds %s, which is given and must only be called",
		quoted(slices.Compact(found)))
}

// CheckTarget refuses a program whose target is missing, is defined more than once, is
// asynchronous, has other parameters than want, or cannot be called with positional arguments. If
// extra is true, the target may have further parameters with defaults.
func CheckTarget(a Analysis, want Function, extra bool) error {
	defs := filtered(a.Functions, func(f Func) bool { return f.Name == want.Name })
	switch {
	case len(defs) == 0:
		return refuse("the code does not define `%s`", want.Name)
	case len(defs) > 1:
		return refuse("the code defines `%s` %d times, not once", want.Name, len(defs))
	case defs[0].Async:
		return refuse("`%s` is defined with async def, not with def", want.Name)
	}
	f := defs[0]
	got, params := f.Params, want.names()
	if extra && len(got) > len(params) {
		got = got[:len(params)]
	}
	if !slices.Equal(got, params) {
		return refuse("`%s` takes (%s), not (%s) as asked",
			want.Name, strings.Join(f.Params, ", "), strings.Join(params, ", "))
	}
	n := len(params)
	if f.MaxArgs < 0 {
		return refuse("`%s` takes any number of arguments, not (%s) as asked",
			want.Name, strings.Join(params, ", "))
	}
	if f.MinArgs < 0 || f.MinArgs > n || f.MaxArgs < n {
		return refuse("`%s` cannot be called with %d positional arguments", want.Name, n)
	}
	return nil
}

// Calls is a contract on a call set.
type Calls struct {
	Must   []string // each must be called
	May    []string // each may be called
	AtMost int      // size of the call set; zero: no bound
}

// Check refuses a call set that breaks the contract, and lists every breach in one line.
func (c Calls) Check(set []string) error {
	lacks, extra := without(c.Must, set), without(without(set, c.Must), c.May)
	var breaches []string
	if len(lacks) > 0 {
		breaches = append(breaches,
			"it must call "+quoted(lacks)+", but no statement that can be reached does")
	}
	if len(extra) > 0 {
		breaches = append(breaches, "it calls "+quoted(extra)+", which it must not call")
	}
	if c.AtMost > 0 && len(set) > c.AtMost {
		functions := "functions"
		if c.AtMost == 1 {
			functions = "function"
		}
		breaches = append(breaches, fmt.Sprintf(
			"it calls %s, more than %d %s of those given", quoted(set), c.AtMost, functions))
	}
	if len(breaches) == 0 {
		return nil
	}
	return refuse("%s", strings.Join(breaches, "; "))
}

// CheckWraps refuses a child that equals its parent except for added calls of the EAP whose results
// are never read. It compares the target and all helpers that the child's target reaches, ignoring
// the names of locals.
func CheckWraps(parent, child Analysis, target, eap string) error {
	added := false
	for _, name := range append(Reached(child, target), target) {
		c, ok := child.Func(name)
		if !ok || name == eap {
			continue
		}
		p, known := parent.Func(name)
		without, some := c.BodyDigestWithout[eap]
		switch {
		case known && some && without == p.BodyDigest:
			added = true
		case !known || c.BodyDigest != p.BodyDigest:
			return nil
		}
	}
	if !added {
		return nil
	}
	return refuse(
		"the code is that of the parent with a call of `%s` whose result is not used", eap)
}

// quoted lists names in backticks; "" without a name.
func quoted(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "`" + strings.Join(names, "`, `") + "`"
}
