package suite

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/pacebench/pacebench/bench"
)

// An adjustable is a method that only has settings.
type adjustable struct {
	Width int      `json:"width"`
	Fresh bool     `json:"fresh,omitempty"` // added later: absent from the header while it is off
	Kept  on       `json:"kept,omitzero"`   // added later: absent while it is on, as by default
	Kinds []string `json:"kinds"`
	State int      `json:"-"`
}

// on is a switch whose default is true.
type on bool

func (o on) IsZero() bool { return bool(o) }

func (*adjustable) Name() string                             { return "adjustable" }
func (*adjustable) Run(context.Context, *bench.Search) error { return nil }

func TestSettings(t *testing.T) {
	for _, c := range []struct {
		sets                 []string
		variant, config, err string
	}{
		{nil, "", `{"width":4,"kinds":["a"]}`, ""},
		{[]string{"width=4", "fresh=false"}, "", `{"width":4,"kinds":["a"]}`, ""},
		{[]string{"width=5", "fresh=true"}, "fresh=true,width=5",
			`{"width":5,"fresh":true,"kinds":["a"]}`, ""},
		{[]string{"kept=true"}, "", `{"width":4,"kinds":["a"]}`, ""},
		{[]string{"kept=false"}, "kept=false", `{"width":4,"kept":false,"kinds":["a"]}`, ""},
		{[]string{"kinds=b,a"}, "kinds=b,a", `{"width":4,"kinds":["b","a"]}`, ""},
		{[]string{"width=5", "width=4"}, "", "", "--set width=4: width is set twice"},
		{[]string{"State=1"}, "", "", `--set State=1: method adjustable has no setting "State"`},
		{[]string{"fresh=perhaps"}, "", "",
			`--set fresh=perhaps: "perhaps" is neither true nor false`},
	} {
		m := &adjustable{Width: 4, Kept: true, Kinds: []string{"a"}}
		variant, err := Apply(m, c.sets)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: error %v, want %s", c.sets, err, c.err)
			}
			continue
		}
		config, jsonErr := json.Marshal(m)
		if err != nil || jsonErr != nil || variant != c.variant || string(config) != c.config {
			t.Errorf("%q: variant %q, config %s, errors %v %v; want %q, %s",
				c.sets, variant, config, err, jsonErr, c.variant, c.config)
		}
		again := &adjustable{Kept: true}
		if err := json.Unmarshal(config, again); err != nil || again.Kept != m.Kept {
			t.Errorf("%s reads as kept=%v, want %v: %v", config, again.Kept, m.Kept, err)
		}
	}
}

// Tasks with different splits can be in one file. The command line overrides the file, and a run
// that is in two groups is tested on the splits of both.
func TestGroupsHaveTests(t *testing.T) {
	s, err := parseSuite("s.toml", []byte("test = \"none\"\n"+
		"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"eoh\"]\ntest = \"test50\"\n"+
		"[[runs]]\ntasks = [\"tsp-construct\"]\nmethods = [\"eoh\"]\ntest = \"val\"\n"+
		"[[runs]]\ntasks = [\"asp\"]\nmethods = [\"eoh\"]\n"))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Seeds: "1", Evals: 2, Test: "all", Model: "offline", Models: ModelsFile,
		TimeScale: 1, Given: map[string]bool{}}
	tests := func() (all [][]string) {
		runs, err := s.Plan(o)
		if err != nil {
			t.Fatal(err)
		}
		return Map(runs, func(p *Planned) []string { return p.Tests })
	}
	want := [][]string{{"val", "test50"}, {}}
	if got := tests(); len(got) != 2 || !slices.Equal(got[0], want[0]) || len(got[1]) > 0 {
		t.Errorf("tests %q, want %q", got, want)
	}
	o.Given["test"], o.Test = true, "none"
	if got := tests(); len(got[0]) > 0 || len(got[1]) > 0 {
		t.Errorf("--test none: %q", got)
	}
	if _, err := parseSuite("s.toml", []byte("[[runs]]\ntasks = [\"asp\"]\nmethods = [\"eoh\"]\n"+
		"test = \"\"\n")); err == nil {
		t.Error("an empty test is taken")
	}
}
