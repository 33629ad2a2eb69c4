package record

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
)

// A Separate is the rule of suite --until-separated. It declares, before the first run, which rows
// of a suite are compared and when. Each row gets the seeds 1, 2, … until its pairs are separated,
// at most up to the last of Looks.
type Separate struct {
	Pairs  [][]string `toml:"pairs" json:"pairs"` // two rows each: "pace", "pace@k=5"
	Looks  []int      `toml:"looks" json:"looks"` // number of seeds in each row at each test
	Alpha  float64    `toml:"alpha" json:"alpha"`
	MaxUSD float64    `toml:"max_usd" json:"max_usd,omitempty"` // 0: no limit
}

// A Declaration is the part of a plan that no later command can change. The header of every run of
// the plan contains the declaration's digest (Header.Plan).
type Declaration struct {
	Separate Separate          `json:"separate"`
	Task     string            `json:"task"`
	Rows     map[string]string `json:"rows"`    // row → directory that contains its seeds
	Headers  map[string]Header `json:"headers"` // row → the header planned for seed 1
	Paired   []bool            `json:"paired"`  // by pair: whether the rows share draws
	// Tolerance is the task's relative tolerance: values with at most this relative difference are
	// equal.
	Tolerance float64 `json:"tolerance,omitempty"`
}

// Digest returns the SHA-256 of the declaration in hex.
func (d *Declaration) Digest() string {
	data, err := json.Marshal(d)
	if err != nil {
		panic("record: a declaration does not encode: " + err.Error())
	}
	return fmt.Sprintf("%x", sha256.Sum256(data))
}

// Covers returns an error if the declaration does not plan a run with this row, directory and
// header. A plan knows neither the machine's Python nor the run's base, so Covers does not check
// them.
func (d *Declaration) Covers(row, dir string, h Header) error {
	if d.Rows[row] != path.Dir(dir) {
		return errors.New("declares other rows")
	}
	if last := slices.Max(d.Separate.Looks); h.Seed < 1 || h.Seed > uint64(last) {
		return fmt.Errorf("declares seeds 1 to %d", last)
	}
	want, ok := d.Headers[row]
	if !ok {
		return nil // the row is in no pair
	}
	want.Seed, want.Plan = h.Seed, h.Plan
	want.Paired, want.PairedVariant = h.Paired, h.PairedVariant
	want.Python, want.NumPy, want.SciPy, want.Lock = h.Python, h.NumPy, h.SciPy, h.Lock
	want.Unsafe, want.Packages, want.Arithmetic = h.Unsafe, h.Packages, h.Arithmetic
	if c := difference(want, h); c != nil {
		return fmt.Errorf("declares %s, the header says %s", c.old(), c.new)
	}
	return nil
}

const (
	// PlansDir is the folder with the plans of a results directory.
	PlansDir = ".suites"
	// DeclarationSuffix ends the names of the plans that contain a declaration.
	DeclarationSuffix = "-separate.json"
)

// declarationName matches the paths that a declaration may have in a bundle.
var declarationName = regexp.MustCompile(
	`^\` + PlansDir + `/[A-Za-z0-9._,=+-]{1,100}` + DeclarationSuffix + `$`)

// ReadDeclaration decodes the plan at path into plan, which contains a declaration.
func ReadDeclaration(path string, plan any) error {
	data, err := plain.Read(path, maxList)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, plan); err != nil {
		return hint.Add(fmt.Errorf("%s: %w", path, hint.JSON(err)), "restore the file from a copy")
	}
	return nil
}
