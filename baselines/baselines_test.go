package baselines

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

func TestGreedyIsThePublishedRow(t *testing.T) {
	row, ok := Lookup("tsp-construct", "greedy")
	if !ok {
		t.Fatal("no such row")
	}
	for split, want := range map[string]float64{
		"train": 6.823968618406, "test50": 6.938473934318, "test200": 13.361906406923, "test500": 20.793768050227, "test1000": 28.91703058318,
	} {
		values, err := row.Run(context.Background(), split)
		if err != nil {
			t.Fatal(err)
		}
		if got := bench.Mean(values); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: %.12f, want %.12f", split, got, want)
		}
	}
}

func TestRowsRefuseUnknownSplitsAndStopWithTheirContext(t *testing.T) {
	done, cancel := context.WithCancel(context.Background())
	cancel()
	for _, row := range All() {
		if values, err := row.Run(context.Background(), "test51"); err == nil {
			t.Errorf("%s on a split that is not there: %v", row.Name, values)
		}
		if _, err := row.Run(done, "train"); !errors.Is(err, context.Canceled) {
			t.Errorf("%s under a cancelled context: %v", row.Name, err)
		}
	}
	if _, ok := Lookup("tsp-aco", "greedy"); ok {
		t.Error("greedy is not a row of tsp-aco")
	}
}
