package llm

import (
	"context"
	"maps"
	"slices"
)

// Route chooses a model by the role of a request: PACE may discover EAPs with another
// model than the one that designs algorithms.
type Route struct {
	Default Model
	ByRole  map[string]Model // role -> model, e.g. "eap"
}

var _ Model = Route{}

// Name is the default's name, followed by "+role=name" for every other role.
func (m Route) Name() string {
	name := m.Default.Name()
	for _, role := range slices.Sorted(maps.Keys(m.ByRole)) {
		name += "+" + role + "=" + m.ByRole[role].Name()
	}
	return name
}

// Models is the names by role, as a run's header keeps them; "" is every other role. A role
// whose model has the default's name is one of them.
func (m Route) Models() map[string]string {
	names := NamesOf(m.Default)
	for role, model := range m.ByRole {
		byRole := NamesOf(model)
		name, ok := byRole[role]
		if !ok {
			name = byRole[""]
		}
		names[role] = name
		if name == names[""] {
			delete(names, role)
		}
	}
	return names
}

// NamesOf is the names of a model by role: those of a Route or of a recorded run, otherwise
// its one name for every role. Decorators hide them: ask the model inside.
func NamesOf(m Model) map[string]string {
	if several, ok := m.(interface{ Models() map[string]string }); ok {
		return several.Models()
	}
	return map[string]string{"": m.Name()}
}

// Complete asks the model of the request's role.
func (m Route) Complete(ctx context.Context, r Request) (Reply, error) {
	if model, ok := m.ByRole[r.Purpose.Role()]; ok {
		return model.Complete(ctx, r)
	}
	return m.Default.Complete(ctx, r)
}
