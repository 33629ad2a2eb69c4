// Package methods lists the methods of pacebench. Start at New. Every command offers the methods
// listed here.
package methods

import (
	"fmt"
	"strings"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/methods/bestofn"
	"github.com/pacebench/pacebench/methods/eoh"
	"github.com/pacebench/pacebench/methods/funsearch"
	"github.com/pacebench/pacebench/methods/hsevo"
	"github.com/pacebench/pacebench/methods/mctsahd"
	"github.com/pacebench/pacebench/methods/mles"
	"github.com/pacebench/pacebench/methods/pace"
	"github.com/pacebench/pacebench/methods/randsample"
	"github.com/pacebench/pacebench/methods/reevo"
)

// All returns every method in its default configuration, in the order of tables.
func All() []bench.Method {
	return []bench.Method{randsample.New(), bestofn.New(), funsearch.New(), eoh.New(), reevo.New(),
		mctsahd.New(), hsevo.New(), mles.New(), pace.New()}
}

// New returns the method with the given name, in its default configuration.
func New(name string) (bench.Method, error) {
	var known []string
	for _, m := range All() {
		if m.Name() == name {
			return m, nil
		}
		known = append(known, m.Name())
	}
	return nil, hint.Add(fmt.Errorf("unknown method %q", name),
		"known methods: "+strings.Join(known, ", "))
}
