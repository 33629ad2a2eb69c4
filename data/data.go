// Package data has the numbers printed in the PACE paper and in other papers (Published), the
// checksums of every split (instances.toml, which a test compares with the tasks), the profiles of
// the models that the paper names (Models), the built-in suites (Suites), the runs of the demo
// (Demo), the anchors of tasks (AnchorOf), and the expected costs of searches (ExpectedCosts).
package data

import (
	"embed"
	"fmt"
	"strings"
	"sync"

	"github.com/BurntSushi/toml"
)

//go:embed published.toml
var publishedText string

// A Table is a table of a paper as printed.
type Table struct {
	Source string // its place in the paper: "tab:tsp-results"
	Paper  string // "MCTS-AHD"; empty: the PACE paper
	About  string // model and budget of its searches, if they differ from the PACE paper's
	// Elsewhere means that the instances differ from the task's. The numbers are shown, but not
	// compared.
	Elsewhere bool
	Rows      []Row // in the paper's order
}

// Models is the text of a models.toml, with profiles of the models that the paper names; see
// docs/models.md.
//
//go:embed models.toml
var Models string

// Demo is a bundle of runs with Qwen2.5-Coder-1.5B-Instruct (Alibaba Cloud, Apache License 2.0),
// served by scripts/small-model. The demo replays the answers in their journals.
//
//go:embed demo.tar.zst
var Demo []byte

// Suites are the files of the built-in suites; see docs/suites.md.
//
//go:embed suites
var Suites embed.FS

// A Row is a printed row. Cells has the printed text by column: "12.064" for "test200". A mean and
// a standard deviation over three runs are printed as "5.805 ± 0.014".
type Row struct {
	ID    string
	Cells map[string]string
}

var published = sync.OnceValue(func() map[string]Table {
	var raw map[string]struct {
		Source, Paper, About string
		Elsewhere            bool
		Rows                 map[string]map[string]string
	}
	md := decode("published.toml", publishedText, &raw)
	tables := map[string]Table{}
	for _, k := range md.Keys() {
		t := tables[k[0]]
		r := raw[k[0]]
		t.Source, t.Paper, t.About, t.Elsewhere = r.Source, r.Paper, r.About, r.Elsewhere
		if len(k) == 3 && k[1] == "rows" {
			t.Rows = append(t.Rows, Row{k[2], raw[k[0]].Rows[k[2]]})
		}
		tables[k[0]] = t
	}
	return tables
})

// Published returns the printed table with the given name in the report, such as
// "main-tsp-construct".
func Published(name string) (Table, bool) {
	if t, ok := published()[name]; ok {
		return t, true
	}
	// The paper has the control tasks in one table; the report also shows each in its own table.
	task, _ := strings.CutPrefix(name, "main-")
	both := published()["main-control"]
	out := Table{Source: both.Source}
	for _, r := range both.Rows {
		own := Row{r.ID, map[string]string{}}
		for column, text := range r.Cells {
			if column, ok := strings.CutPrefix(column, task+"/"); ok {
				own.Cells[column] = text
			}
		}
		if len(own.Cells) > 0 {
			out.Rows = append(out.Rows, own)
		}
	}
	return out, len(out.Rows) > 0
}

// decode reads an embedded file. It panics if the file contains a mistake.
func decode(name, text string, into any) toml.MetaData {
	md, err := toml.Decode(text, into)
	if err != nil {
		panic(fmt.Sprintf("data: %s: %v", name, err))
	}
	if extra := md.Undecoded(); len(extra) > 0 {
		panic(fmt.Sprintf("data: %s: unknown key %s", name, extra[0]))
	}
	return md
}
