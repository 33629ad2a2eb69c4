// Package data holds what others published and what we promise of our instances: the numbers
// printed in the PACE paper (Published) and the checksums of every split (instances.toml, which
// its test holds the tasks to). It computes nothing.
package data

import (
	_ "embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed published.toml
var publishedText string

// rows are table -> row -> column -> number as printed.
type rows map[string]map[string]map[string]string

var published = sync.OnceValue(func() rows {
	var r rows
	decode("published.toml", publishedText, &r)
	return r
})

// Published returns the number that the PACE paper prints for a row and a column of a table,
// named as the report names them: "main-tsp-construct", "pace", "test200" is "12.064". Where
// the paper gives a mean and a standard deviation it is "5.805 ± 0.014".
func Published(table, row, column string) (string, bool) {
	// The report shows each control task also by itself; the paper has them side by side.
	if task, ok := strings.CutPrefix(table, "main-"); ok && published()[table] == nil {
		table, column = "main-control", task+"/"+column
	}
	s, ok := published()[table][row][column]
	return s, ok
}

// decode reads an embedded file. A mistake in it is ours.
func decode(name, text string, into any) {
	md, err := toml.Decode(text, into)
	if err != nil {
		panic(fmt.Sprintf("data: %s: %v", name, err))
	}
	if extra := md.Undecoded(); len(extra) > 0 {
		panic(fmt.Sprintf("data: %s: unknown key %s", name, extra[0]))
	}
}
