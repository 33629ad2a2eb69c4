// Package view makes the pages that look inside runs: an index of all runs, and a page for each
// run. Handler shows results as they grow; Write makes the same pages as files that need no server.
// Both provide the same data: scripts that call the page with a name and packed JSON, because a
// page that is opened as a file can load data only as scripts. Start at Site.
//
// Programs and replies are hostile text. The pages put it into the document only as text, and
// Policy allows no other script, style or address.
package view

import (
	"bytes"
	"cmp"
	"embed"
	"encoding/base64"
	"fmt"
	"io/fs"
	"strings"

	json2 "github.com/go-json-experiment/json"
	json1 "github.com/go-json-experiment/json/v1"
	"github.com/klauspost/compress/gzip"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/explain"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/journal"
	"github.com/pacebench/pacebench/record/results"
	"github.com/pacebench/pacebench/report"
	"github.com/pacebench/pacebench/report/figure"
)

//go:embed assets
var embedded embed.FS

// assets returns the page and the files that it loads.
func assets() fs.FS {
	sub, err := fs.Sub(embedded, "assets")
	if err != nil {
		panic(err) // not reached: the folder is embedded
	}
	return sub
}

// Policy is the content security policy of the pages. Browsers differ in the meaning of 'self' for
// a page that is opened as a file, so index.html also allows "file:".
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
	"connect-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// A Site makes pages about the runs in Store or Dirs.
type Site struct {
	Dirs     []string
	Rename   func(string) string // as in results.Reader
	Decoders results.Decoders
	Baseline func(record.Header) bool // as in results.Reader
	Tasks    []*bench.Task
	Methods  []bench.Label
	Store    *results.Store // what the pages show; nil: the runs in Dirs
	Report   string         // address of the report on these runs; empty: no report
	Stage    Stage          // runs programs for readers, or the best programs for Write; or nil
}

// index is the content of the first page.
type index struct {
	Tasks   []taskJSON   `json:"tasks"`
	Methods []methodJSON `json:"methods"`
	Runs    []runJSON    `json:"runs"`
	Report  string       `json:"report,omitempty"`
	// Stage reports whether the server runs programs to show pictures of their behaviour.
	Stage bool `json:"stage,omitempty"`
	// Warnings name directories that could not be read.
	Warnings []string `json:"warnings,omitempty"`
	// Waiting counts the runs that are not read yet. Their entries come from their results, or are
	// missing.
	Waiting int `json:"waiting,omitempty"`
}

type taskJSON struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Unit     string `json:"unit"`
	Digits   int    `json:"digits"`
	Minimize bool   `json:"minimize"`
	// Template is the training value of the task's template, if it is known.
	Template *float64 `json:"template,omitempty"`
	// Pictures describes the pictures of a program's behaviour on the training Instances.
	Pictures  string   `json:"pictures,omitempty"`
	Instances []string `json:"instances,omitempty"`
}

func newTask(t *bench.Task) taskJSON {
	out := taskJSON{
		Name: t.Name, Title: t.Label.Title, Unit: t.Label.Unit, Digits: t.Label.Digits,
		Minimize: t.Goal == bench.Minimize, Pictures: t.Pictures,
	}
	if a, ok := data.AnchorOf(t.Name); ok {
		out.Template = &a.Worst
	}
	if t.Pictures != "" {
		for i := range t.Splits[0].Instances {
			out.Instances = append(out.Instances, t.Splits[0].Instance(i))
		}
	}
	return out
}

type methodJSON struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	Color string `json:"color,omitempty"` // as in the figures of a report
}

// runJSON is a run in the index.
type runJSON struct {
	ID          string             `json:"id"` // names its data
	Dir         string             `json:"dir"`
	Task        string             `json:"task"`
	Method      string             `json:"method"`
	Variant     string             `json:"variant,omitempty"`
	Models      string             `json:"models,omitempty"`
	World       string             `json:"world,omitempty"` // if other runs differ only in it
	Seed        uint64             `json:"seed"`
	Journal     bool               `json:"journal"` // false: a row without a search
	State       string             `json:"state"`   // "running", "unfinished" or as in ended
	Budget      int                `json:"budget"`
	Evaluations int                `json:"evaluations"`
	Requests    int                `json:"requests"`
	Tokens      int                `json:"tokens"`
	USD         *float64           `json:"usd,omitempty"`
	Faults      map[string]int     `json:"faults,omitempty"`
	Failed      int                `json:"failed,omitempty"` // evaluations without a score
	Best        *float64           `json:"best"`
	Minimize    bool               `json:"minimize,omitempty"` // of Best; false without Best
	BestAt      int                `json:"best_at,omitempty"`
	Tests       map[string]float64 `json:"tests,omitempty"`
	Curve       [][2]float64       `json:"curve,omitempty"` // evaluation, value
	Warnings    []string           `json:"warnings,omitempty"`
}

// read reads the directories. The runs have the same order as in the index.
func (s *Site) read(r *results.Reader) (*index, []*results.Run, error) {
	store, err := s.Store, error(nil)
	if store == nil {
		store, err = r.Read(s.Dirs...)
	}
	if err != nil {
		return nil, nil, err
	}
	x := &index{
		Tasks: []taskJSON{}, Methods: []methodJSON{}, Runs: []runJSON{},
		Report: s.Report, Waiting: store.Waiting,
	}
	for _, t := range s.Tasks {
		x.Tasks = append(x.Tasks, newTask(t))
	}
	styles := report.Labels{Methods: s.Methods}.Styles()
	for _, m := range s.Methods {
		line := methodJSON{Name: m.Name, Title: m.Title}
		if style, ok := styles[m.Name]; ok {
			line.Color = figure.Hex(style)
		}
		x.Methods = append(x.Methods, line)
	}
	for _, w := range store.Warnings {
		x.Warnings = append(x.Warnings, w.String())
	}
	worlds := map[results.Key]map[string]bool{} // by key without the world
	for _, r := range store.Runs {
		key, world := worldOf(r)
		if worlds[key] == nil {
			worlds[key] = map[string]bool{}
		}
		worlds[key][world] = true
	}
	for _, r := range store.Runs {
		one := summary(r)
		if key, world := worldOf(r); len(worlds[key]) > 1 {
			one.World = world
		}
		x.Runs = append(x.Runs, one)
	}
	return x, store.Runs, nil
}

// worldOf returns the key of a run without the lock and the method's version, and both in words.
func worldOf(r *results.Run) (key results.Key, world string) {
	key = r.Key()
	world = key.Lock + ", version " + cmp.Or(key.Version, "1")
	key.Lock, key.Version = "", ""
	return key, strings.TrimPrefix(world, ", ")
}

func summary(r *results.Run) runJSON {
	h := r.Header
	out := runJSON{
		ID: r.ID(), Dir: r.Path(""),
		Task: h.Task, Method: h.Method, Variant: h.Variant, Models: results.Models(h.Models),
		Seed: h.Seed, Journal: r.Journal, State: "unfinished", Budget: h.Budget,
		Evaluations: r.Evaluations, Requests: r.Asked, Tokens: r.Tokens().Total(),
		Faults: map[string]int{}, Failed: r.Failed(), Tests: map[string]float64{},
	}
	if r.Result == nil && r.Journal {
		if l := journal.Holder(r.Dir); l != nil && !l.Stale() {
			out.State = "running"
		}
	}
	if usd, known := r.Cost(); known {
		out.USD = &usd
	}
	for kind, n := range r.Faults {
		out.Faults[string(kind)] = n
	}
	if r.Best != nil {
		out.Best, out.BestAt = &r.Best.Value, r.Best.Evaluation
		out.Minimize = r.Best.Minimized()
	}
	if r.Result != nil {
		out.State = ended(r.Result.Stopped)
		for split := range r.Result.Tests {
			if v, ok := r.Test(results.ByTraining, split); ok {
				out.Tests[split] = v
			}
		}
	}
	for _, c := range r.Curve {
		out.Curve = append(out.Curve, [2]float64{float64(c.Evaluation), c.Value})
	}
	for _, w := range r.Warnings {
		out.Warnings = append(out.Warnings, w.Reason)
	}
	return out
}

// ended describes why a run with a result ended (record.Result.Stopped).
func ended(why string) string {
	switch why {
	case "requests":
		return "finished: limit on requests"
	case "method":
		return "finished: the method ended"
	}
	return "finished"
}

// detail has the data of a run's page that is not in its entry in the index (runJSON).
type detail struct {
	*results.Detail
	Header *record.Header `json:"header"`
	Why    results.Why    `json:"why"`
	EAPs   []results.EAP  `json:"eaps,omitempty"`
	// Shown lists, by evaluation, the instances with stored pictures.
	Shown map[int][]int `json:"shown,omitempty"`
	// Margin is the explanation of the best program; nil if it was not explained.
	Margin *marginJSON `json:"margin,omitempty"`
}

type marginJSON struct {
	Evaluation int        `json:"evaluation"`
	Lines      []int      `json:"lines,omitempty"` // for each line of the program, its part or -1
	Parts      []partJSON `json:"parts,omitempty"`
	Wrong      string     `json:"wrong,omitempty"` // why the file cannot be used
}

type partJSON struct {
	Line    int      `json:"line"`
	Kind    string   `json:"kind"`
	Text    string   `json:"text"`
	Verdict string   `json:"verdict"`
	Split   string   `json:"split"`
	Seen    bool     `json:"seen"`
	Effect  *float64 `json:"effect,omitempty"`
	Low     *float64 `json:"low,omitempty"`
	High    *float64 `json:"high,omitempty"`
	P       *float64 `json:"p,omitempty"`
}

// margin reads the explanation of a run's best program, if there is one.
func (s *Site) margin(d *results.Detail) *marginJSON {
	r := d.Run
	if r.Best == nil {
		return nil
	}
	out := &marginJSON{Evaluation: r.Best.Evaluation}
	e, err := explain.Read(r.Dir, r.Digest)
	switch p := d.Program(out.Evaluation); {
	case err != nil:
		out.Wrong = err.Error()
		return out
	case e == nil || p == nil || e.Evaluation != out.Evaluation:
		return nil
	default:
		out.Lines = e.Margin(p.Source)
	}
	digits := 3
	for _, t := range s.Tasks {
		if t.Name == r.Header.Task {
			digits = t.Label.Digits + 1
		}
	}
	for i, part := range e.Plan.Parts.Parts {
		x, split := e.Shown(i)
		out.Parts = append(out.Parts, partJSON{
			part.Line, part.Kind, part.Text, e.Verdict(i, digits), split, x.Significant(),
			explain.Number(x.Mean), explain.Number(x.Low), explain.Number(x.High),
			explain.Number(x.Holm),
		})
	}
	return out
}

func (s *Site) detail(r *results.Run) (*detail, error) {
	d, err := results.Open(s.Decoders, r.Dir)
	if err != nil {
		return nil, err
	}
	return &detail{d, &d.Run.Header, d.Why(), d.Run.EAPs, nil, s.margin(d)}, nil
}

// script packs a value as a script that passes it to the page under a name, as JSON that is
// compressed with gzip and encoded in base64.
func script(name string, v any) ([]byte, error) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	// MarshalWrite, unlike json.Marshal, makes no copy of the JSON, which can be tens of megabytes.
	if err := json2.MarshalWrite(z, v, json1.DefaultOptionsV1()); err != nil {
		return nil, err
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	text := base64.StdEncoding.EncodeToString(packed.Bytes())
	return fmt.Appendf(nil, "pacebench.receive(%q, %q);\n", name, text), nil
}
