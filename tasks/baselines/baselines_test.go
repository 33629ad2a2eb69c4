package baselines

import (
	"context"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/deepacotest"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/record"
)

func TestRowsRefuseUnknownSplitsAndStopWithTheirContext(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, row := range All("") {
		if row.Program != "" {
			continue // it has no Run
		}
		if values, err := row.Run(context.Background(), "test51"); err == nil {
			t.Errorf("%s on an unknown split: %v", row.Name, values)
		}
		if _, err := row.Run(done, "train"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s under a cancelled context: %v", row.Name, err)
		}
	}
	if _, ok := Lookup("tsp-aco", "greedy", ""); ok {
		t.Error("greedy is not a row of tsp-aco")
	}
}

// TestRowsAgreeWithWhatIsKnown compares rows with means that an independent solver measured. They
// may differ by 4 standard errors of the difference. The larger sizes take a long time:
// scripts/test-long runs the splits of 200 cities, and PACEBENCH_SLOW names further splits to run.
func TestRowsAgreeWithWhatIsKnown(t *testing.T) {
	for _, c := range []struct {
		row, split string
		slow       bool
		mean, sd   float64 // sd of the 64-instance mean of one run
		runs       int     // number of runs behind the mean
	}{
		{"aco", "test50", false, 6.537, 0.0225, 24},
		{"aco", "test200", true, 15.31, 0.0423, 8},
		{"aco", "test500", true, 26.649, 0.061, 6},
		{"aco", "test1000", true, 40.863, 0.084, 5},
		{"deepaco", "test50", false, 5.8663, 0.0055, 8},
		{"deepaco", "test200", true, 12.1091, 0.0173, 4},
		{"deepaco", "test500", true, 21.32, 0.0562, 10},
		{"deepaco", "test1000", true, 37.3626, 0.1056, 2},
		{"deepaco-train-k", "test50", false, 5.8543, 0.0049, 60},
		{"deepaco-train-k", "test200", true, 11.7094, 0.0118, 4},
		{"deepaco-train-k", "test500", true, 18.7441, 0.013, 6},
		{"deepaco-train-k", "test1000", true, 27.1395, 0.0185, 2},
	} {
		named := strings.Contains(os.Getenv("PACEBENCH_SLOW"), c.split)
		if c.slow && !named && (!benchtest.Long() || c.split != "test200") {
			continue
		}
		t.Run(c.row+"/"+c.split, func(t *testing.T) {
			row := rowFor(t, c.row)
			values, err := row.Run(context.Background(), c.split)
			must.Do(t, err)
			got := record.Mean(values)
			if limit := 4 * c.sd * math.Sqrt(1+1/float64(c.runs)); math.Abs(got-c.mean) > limit {
				t.Errorf("mean %.4f, known %.4f ± %.4f", got, c.mean, limit)
			}
			t.Logf("mean %.4f, known %.4f", got, c.mean)
		})
	}
}

// rowFor returns a row of tsp-aco. DeepACO's rows need the checkpoints; without them, the test is
// skipped.
func rowFor(t *testing.T, name string) Baseline {
	t.Helper()
	dir := ""
	if name != "aco" {
		dir = deepacotest.Dir(t)
	}
	row, ok := Lookup("tsp-aco", name, dir)
	if !ok {
		t.Fatalf("no row %s", name)
	}
	return row
}

// TestTextbookRows pins the values of rows that have no published values. The other rows are among
// the anchors of package tasks.
func TestTextbookRows(t *testing.T) {
	for _, c := range []struct {
		task, name, split string
		want              float64
	}{
		{"bpp-aco", "first-fit-decreasing", "test500", 203.34375},
		{"cvrp-aco", "savings", "train", 8.322130662},
		{"cvrp-aco", "savings", "test50", 8.473689685},
		{"cvrp-aco", "savings", "test100", 13.673442519},
	} {
		row, ok := Lookup(c.task, c.name, "")
		if !ok {
			t.Fatalf("%s has no row %s", c.task, c.name)
		}
		values, err := row.Run(t.Context(), c.split)
		must.Do(t, err)
		if got := record.Mean(values); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, %s, %s: %.9f, want %.9f", c.task, c.name, c.split, got, c.want)
		}
	}
}
