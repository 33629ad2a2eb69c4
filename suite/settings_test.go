package suite

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/tasks"
)

// Settings of a task choose the task that the header names. The method gets the other settings.
func TestSettingsOfTasks(t *testing.T) {
	for _, c := range []struct{ task, sets, want, rest string }{
		{"tsp-construct", "texts=source k=5", "tsp-construct@texts=source", "k=5"},
		{"tsp-construct@texts=source", "texts=own", "tsp-construct", ""},
		{"tsp-aco@replicates=10", "texts=source", "tsp-aco@replicates=10,texts=source", ""},
		{"tsp-aco@replicates=10,texts=source", "texts=own", "tsp-aco@replicates=10", ""},
		{"racing-car", "texts=source renderer=stock", "racing-car@renderer=stock,texts=source", ""},
		{"racing-car@texts=source", "renderer=stock", "racing-car@renderer=stock,texts=source", ""},
		{"racing-car@renderer=stock,texts=source", "renderer=native",
			"racing-car@texts=source", ""},
	} {
		task, _ := tasks.Lookup(c.task)
		got, rest, err := SetTask(task, strings.Fields(c.sets))
		if err != nil || got.Name != c.want || strings.Join(rest, " ") != c.rest {
			t.Errorf("%s with %s: %v, %v, %v, want %s", c.task, c.sets, got, rest, err, c.want)
		}
	}
}

// An adjustable is a method that only has settings.
type adjustable struct {
	Width int      `json:"width"`
	Fresh bool     `json:"fresh,omitempty"` // added later: absent from the header while it is off
	Kept  on       `json:"kept,omitzero"`   // added later: absent while it is on, as by default
	Kinds []string `json:"kinds"`
	Steps []int    `json:"steps,omitempty"`
	Flags []bool   `json:"flags,omitempty"`
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
		{[]string{"width=4", "fresh=false", "kept=true"}, "", `{"width":4,"kinds":["a"]}`, ""},
		{[]string{"width=5", "fresh=true"}, "fresh=true,width=5",
			`{"width":5,"fresh":true,"kinds":["a"]}`, ""},
		{[]string{"kept=false"}, "kept=false", `{"width":4,"kept":false,"kinds":["a"]}`, ""},
		{[]string{"kinds=b,a"}, "kinds=b,a", `{"width":4,"kinds":["b","a"]}`, ""},
		{[]string{"steps=-2, 2", "flags=false,true"}, "flags=false,true,steps=-2,2",
			`{"width":4,"kinds":["a"],"steps":[-2,2],"flags":[false,true]}`, ""},
		{[]string{"steps=-1,1"}, "", `{"width":4,"kinds":["a"],"steps":[-1,1],"flags":[true]}`, ""},
		{[]string{"steps=[1,2]"}, "", "", `--set steps=[1,2]: "[1" is not a number`},
		{[]string{"width=5", "width=4"}, "", "", "--set width=4: width is set twice"},
		{[]string{"State=1"}, "", "", `--set State=1: method adjustable has no setting "State"`},
		{[]string{"fresh=perhaps"}, "", "",
			`--set fresh=perhaps: "perhaps" is neither true nor false`},
	} {
		m := &adjustable{Width: 4, Kept: true, Kinds: []string{"a"}}
		if slices.ContainsFunc(c.sets, func(s string) bool {
			return strings.HasPrefix(s, "steps") || strings.HasPrefix(s, "flags")
		}) {
			m.Steps, m.Flags = []int{-1, 1}, []bool{true}
		}
		variant, err := Apply(m, c.sets)
		if c.err != "" {
			if err == nil || err.Error() != c.err {
				t.Errorf("%q: error %v, want %s", c.sets, err, c.err)
			}
			continue
		}
		must.Do(t, err)
		config, err := json.Marshal(m)
		if err != nil || variant != c.variant || string(config) != c.config {
			t.Errorf("%q: variant %q, config %s, %v; want %q, %s",
				c.sets, variant, config, err, c.variant, c.config)
		}
		again := &adjustable{Kept: true}
		if err := json.Unmarshal(config, again); err != nil || again.Kept != m.Kept {
			t.Errorf("%s reads as kept=%v, want %v: %v", config, again.Kept, m.Kept, err)
		}
	}
}
