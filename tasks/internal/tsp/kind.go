package tsp

import (
	"fmt"

	"github.com/pacebench/pacebench/bench"
)

// Kind says what a candidate returned in place of what was asked for.
func Kind(v bench.Value) string {
	switch v := v.(type) {
	case bench.Int:
		return "an int"
	case bench.Float:
		return "a float"
	case bench.Bool:
		return "a bool"
	case bench.None:
		return "None"
	case bench.Array:
		return fmt.Sprintf("an array of shape %v", v.Shape)
	case bench.Other:
		return "an object of type " + v.Type
	}
	return fmt.Sprintf("%T", v)
}
