package data

import (
	_ "embed"
	"sync"
)

//go:embed anchors.toml
var anchorsText string

// An Anchor is the pair of training values between which progress on a task is measured.
type Anchor struct {
	Worst float64 `toml:"worst"`
	Best  float64 `toml:"best"`
}

var anchors = sync.OnceValue(func() (all struct {
	Version string            `toml:"version"`
	Tasks   map[string]Anchor `toml:"tasks"`
}) {
	decode("anchors.toml", anchorsText, &all)
	return all
})

// AnchorOf returns the anchor of a task.
func AnchorOf(task string) (a Anchor, ok bool) {
	a, ok = anchors().Tasks[task]
	return a, ok
}

// AnchorVersion returns the name of the measures that use these anchors: "aocc1".
func AnchorVersion() string { return anchors().Version }
