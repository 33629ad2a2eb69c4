package suite

import (
	"cmp"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
)

// Path returns the run's directory below --out. Unlike Name, it does not depend on other runs.
func (p *Planned) Path() string { return filepath.ToSlash(RunDir("", p.Header)) }

// Chosen returns the runs that --shard and --run select. A paired run and its base are in the same
// shard, and selecting a paired run with --run also selects its base.
func Chosen(o Options, runs []*Planned) ([]*Planned, error) {
	part, of, err := uint64(1), uint64(1), error(nil)
	if o.Given["shard"] {
		part, of, err = parseShard(o.Shard)
	}
	if err != nil {
		return nil, err
	}
	wanted, known := map[string]bool{}, Map(runs, (*Planned).Path)
	for _, name := range o.Only {
		i := slices.IndexFunc(runs, func(p *Planned) bool {
			return name == p.Path() || name == p.Name()
		})
		if i < 0 {
			return nil, hint.Add(Usagef("--run %s: no such run in this suite", name),
				DidYouMean(name, known)+"--list shows the runs of the suite")
		}
		wanted[known[i]] = true
		if base := runs[i].Base; base != nil {
			wanted[base.Path()] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(runs), func(p *Planned) bool {
		if len(wanted) > 0 && !wanted[p.Path()] {
			return true
		}
		h := fnv.New64a()
		h.Write([]byte(cmp.Or(p.Base, p).Path()))
		return h.Sum64()%of != part-1
	}), nil
}

// parseShard parses a shard such as "2/8".
func parseShard(text string) (part, of uint64, err error) {
	left, right, _ := strings.Cut(text, "/")
	part, err1 := strconv.ParseUint(left, 10, 32)
	of, err2 := strconv.ParseUint(right, 10, 32)
	if err1 != nil || err2 != nil || part < 1 || part > of {
		return 0, 0, hint.Add(Usagef("--shard %s: want a part and the number of parts", text),
			"write 1/8 for the first of eight parts")
	}
	return part, of, nil
}

// A plan lists the runs of a suite in a results directory, so that status can report the runs that
// are left. Commands with different --shard or --run write the same plan.
type plan struct {
	Suite string    `json:"suite"`
	Paper bool      `json:"paper,omitempty"` // Suite.Paper
	Runs  []planRun `json:"cells"`
}

type planRun struct {
	Run    string `json:"cell"` // directory below the results directory
	Budget int    `json:"budget"`
}

// WritePlan writes the plan of a suite to a file below out. The name of the file consists of the
// name of the suite and a digest of the plan. If writing fails, status shows fewer runs.
func WritePlan(out string, s *Suite, runs []*Planned) {
	p := plan{Suite: s.Name, Paper: s.Paper}
	for _, r := range runs {
		p.Runs = append(p.Runs, planRun{r.Path(), r.Header.Budget})
	}
	data, err := json.MarshalIndent(p, "", " ")
	if err != nil {
		return
	}
	h := fnv.New32a()
	h.Write(data)
	name := SafeName(cmp.Or(s.Name, "suite"))
	path := filepath.Join(out, record.PlansDir, fmt.Sprintf("%s-%08x.json", name, h.Sum32()))
	_ = journal.WriteShared(path, append(data, '\n'))
}

func readPlans(out string) (plans []plan, err error) {
	for _, path := range Below(out, record.PlansDir, "*.json") {
		var p plan
		data, err := plain.Read(path, MaxFile)
		if err == nil {
			err = hint.JSON(json.Unmarshal(data, &p))
		}
		if err != nil {
			advice := "remove it: pacebench suite writes it again"
			if strings.HasSuffix(path, record.DeclarationSuffix) {
				advice = "restore the file from a copy"
			}
			return nil, hint.Add(fmt.Errorf("%s: %w", path, err), advice)
		}
		plans = append(plans, p)
	}
	return plans, nil
}

// OfPaper reports whether the directories contain plans, all of them of suites with paper = true.
func OfPaper(dirs ...string) bool {
	found := false
	for _, dir := range dirs {
		plans, err := readPlans(dir)
		if err != nil || slices.ContainsFunc(plans, func(p plan) bool { return !p.Paper }) {
			return false
		}
		found = found || len(plans) > 0
	}
	return found
}

// Groups divides the unfinished runs into lines, which contain the paths of the runs. A paired run
// is in the line of its base. Each line covers at most size bases, so it may contain more than size
// runs.
func Groups(runs []*Planned, out string, size int) (lines []string) {
	var bases []*Planned
	of := map[*Planned][]string{}
	for _, p := range runs {
		base := cmp.Or(p.Base, p)
		if p.runDir(out).finished(p.Header, p.Tests) {
			continue
		}
		if of[base] == nil {
			bases = append(bases, base)
		}
		of[base] = append(of[base], p.Path())
	}
	for some := range slices.Chunk(bases, size) {
		var line []string
		for _, base := range some {
			line = append(line, of[base]...)
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}
