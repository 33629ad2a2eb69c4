package llm

import (
	"context"
	"maps"
	"slices"
)

// Route chooses a model by the role of a request: PACE may discover EAPs with one model and design
// algorithms with another.
type Route struct {
	Default Model
	ByRole  map[string]Model // role -> model, e.g. "eap"
}

var _ Model = Route{}

// Name returns the default model's name, followed by "+role=name" for every other role.
func (m Route) Name() string {
	name := m.Default.Name()
	for _, role := range slices.Sorted(maps.Keys(m.ByRole)) {
		name += "+" + role + "=" + m.ByRole[role].Name()
	}
	return name
}

// Complete asks the model for the request's role.
func (m Route) Complete(ctx context.Context, r Request) (Reply, error) {
	if model, ok := m.ByRole[r.Purpose.Role()]; ok {
		return model.Complete(ctx, r)
	}
	return m.Default.Complete(ctx, r)
}
