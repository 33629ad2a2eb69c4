package suite

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks"
)

// By default a program is tested on a split if the test costs at most 100 training evaluations. A
// user's task has no measured costs, so the cost is the ratio of the instances.
func TestCheapSplits(t *testing.T) {
	own := &bench.Task{Problem: bench.Problem{Name: "own"}, Splits: []bench.Split{
		{Name: "train", Instances: 4}, {Name: "test", Instances: 400},
		{Name: "big", Instances: 401},
	}}
	for name, want := range map[string]string{
		"racing-car": "test", "bipedal-walker": "test", "tsp-construct": "test50,test200",
		"tsp-aco": "test50", "bpp-aco": "test500", "asp": "12-7,21-15", "own": "test",
		"obp-weibull": "1k-100,5k-100,10k-100,1k-500,5k-500,10k-500",
	} {
		task, _ := tasks.Lookup(name)
		if name == "own" {
			task = own
		}
		if got, err := splitsOf(task, Cheap); err != nil || strings.Join(got, ",") != want {
			t.Errorf("%s: %v, %v, want %s", name, got, err, want)
		}
	}
}

// The display shows the estimated time of the tests and the splits that the default leaves out.
func TestTesting(t *testing.T) {
	dir := t.TempDir()
	task, _ := tasks.Lookup("tsp-construct")
	p := &Planned{Task: task}
	o := Options{Test: Cheap, Jobs: 2}
	must.Do(t, p.SetTests(o.Test))
	const left = "; not on test500, test1000, which --test all adds"
	if got, want := p.testing(o, dir), "test50, test200; the time is unknown"+left; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	must.Write(t, filepath.Join(dir, "timing.jsonl"), `{"step":1,"worker_ms":[500,1500]}`+"\n")
	// An evaluation takes 1 s. On one worker, test50 takes 4 s and test200 takes 64 s.
	if got, want := p.testing(o, dir), "test50, test200, about 1:04 min"+left; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	o.Test = "all"
	must.Do(t, p.SetTests(o.Test))
	if got := p.testing(o, dir); !strings.HasSuffix(got, "test1000, about 26:40 min") {
		t.Errorf("%q", got)
	}
}

// Tasks with different splits can be in one file. The command line overrides the file, and a run
// that is in two groups is tested on the splits of both.
func TestGroupsHaveTests(t *testing.T) {
	eoh := `methods = ["eoh"]`
	s, err := parseSuite("s.toml", []byte("test = \"none\"\n"+
		group(eoh, `test = "test50"`)+group(eoh, `test = "val"`)+group(`tasks = ["asp"]`, eoh)))
	must.Do(t, err)
	o := flags()
	tests := func() (all [][]string) {
		runs, err := s.Plan(o)
		must.Do(t, err)
		return Map(runs, func(p *Planned) []string { return p.Tests })
	}
	want := [][]string{{"val", "test50"}, {}}
	if got := tests(); len(got) != 2 || !slices.Equal(got[0], want[0]) || len(got[1]) > 0 {
		t.Errorf("tests %q, want %q", got, want)
	}
	o.Given["test"] = true
	if got := tests(); len(got[0]) > 0 || len(got[1]) > 0 {
		t.Errorf("--test none: %q", got)
	}
}
