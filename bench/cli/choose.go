package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/journal"
)

// shareFlags let several processes share the cells of a suite.
func shareFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "shard", Usage: "only one part of the cells, as in 2/8: " +
			"which cell is in it depends on its name alone"},
		&cli.GenericFlag{Name: "cell", Value: &settings{},
			Usage: "only this cell, as --list names it; may be repeated"},
	}
}

// path names a cell: its directory below --out. Unlike name it does not depend on other cells.
func (c *cell) path() string { return filepath.ToSlash(cellDir("", c.Header)) }

// chosen are the cells that --shard and --cell leave. A paired cell and its base are in one shard,
// and a base comes along with a cell that needs it.
func chosen(o options, cells []*cell) ([]*cell, error) {
	part, of, err := uint64(1), uint64(1), error(nil)
	if o.Given["shard"] {
		part, of, err = parseShard(o.Shard)
	}
	if err != nil {
		return nil, err
	}
	wanted := map[string]bool{}
	var known []string
	for _, cl := range cells {
		known = append(known, cl.path())
	}
	for _, name := range o.Cell {
		i := slices.IndexFunc(cells, func(cl *cell) bool {
			return name == cl.path() || name == cl.name()
		})
		if i < 0 {
			return nil, hint.Add(usagef("--cell %s: no such cell in this suite", name),
				didYouMean(name, known)+"--list shows its cells")
		}
		wanted[known[i]] = true
		if base := cells[i].Base; base != nil {
			wanted[base.path()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(cells), func(cl *cell) bool {
		if len(wanted) > 0 && !wanted[cl.path()] {
			return true
		}
		h := fnv.New64a()
		h.Write([]byte(cmp.Or(cl.Base, cl).path()))
		return h.Sum64()%of != part-1
	}), nil
}

// parseShard reads "2/8".
func parseShard(text string) (part, of uint64, err error) {
	left, right, _ := strings.Cut(text, "/")
	part, err1 := strconv.ParseUint(left, 10, 32)
	of, err2 := strconv.ParseUint(right, 10, 32)
	if err1 != nil || err2 != nil || part < 1 || part > of {
		return 0, 0, hint.Add(usagef("--shard %s: want a part and their number", text),
			"write 1/8 for the first of eight parts")
	}
	return part, of, nil
}

// listCells prints the cells of a suite, one a line. It needs no keys and no Python.
func (c *console) listCells(o options, s *suite) error {
	cells, _, err := plannedCells(o, s)
	for _, cl := range cells {
		fmt.Fprintln(c.out, cl.path())
	}
	return err
}

// A plan is what a suite is to do in a results directory, for those who want to know what is left.
// Every command of the suite writes the same one.
type plan struct {
	Suite string     `json:"suite"`
	Cells []planCell `json:"cells"`
}

type planCell struct {
	Cell   string `json:"cell"` // directory below the results directory
	Budget int    `json:"budget"`
}

// plansDir has a file for each plan of a results directory, named by the suite and its content.
const plansDir = ".suites"

// writePlan keeps the plan of a suite in out. Without it, status knows of fewer cells.
func writePlan(out string, s *suite, cells []*cell) {
	p := plan{Suite: s.Name}
	for _, cl := range cells {
		p.Cells = append(p.Cells, planCell{cl.path(), cl.Header.Budget})
	}
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return
	}
	h := fnv.New32a()
	h.Write(data)
	name := unsafeName.ReplaceAllString(cmp.Or(s.Name, "suite"), "-")
	path := filepath.Join(out, plansDir, fmt.Sprintf("%s-%08x.json", name, h.Sum32()))
	_ = journal.WriteShared(path, append(data, '\n'))
}
