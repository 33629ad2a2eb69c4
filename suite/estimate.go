package suite

import (
	"errors"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/pacebench/pacebench/data"
	"github.com/pacebench/pacebench/record/results"
)

// A rate is the expected work of one evaluation of a search.
type rate struct {
	Requests, prompt, answer float64 // LLM requests, tokens of prompts and of answers
	eap                      float64 // share of the tokens that EAP discovery uses
	Worker                   float64 // seconds that the evaluation keeps a worker busy
	Asking                   float64 // seconds that the evaluation's requests wait for answers
	source                   string
	unknown                  bool // Requests, prompt and answer are not known
}

// enoughEvaluations is the least number of evaluations with which a run counts for the estimate. In
// a shorter run, one slow answer dominates the mean.
const enoughEvaluations = 10

// An Estimator estimates rates from the runs in a results directory.
type Estimator struct {
	runs   map[string]*results.Run // by directory
	Store  *results.Store
	timing map[*results.Run]timing
}

func openEstimator(out string) (*Estimator, error) {
	e := &Estimator{
		runs: map[string]*results.Run{}, Store: &results.Store{}, timing: map[*results.Run]timing{},
	}
	store, err := ReadResults(out)
	if errors.Is(err, fs.ErrNotExist) {
		return e, nil
	}
	if err != nil {
		return nil, err
	}
	e.Store = store
	for _, r := range store.Runs {
		e.runs[filepath.Clean(r.Dir)] = r
	}
	return e, nil
}

// rate returns the mean rate of the existing runs that are most like p. If no run is like p, it
// returns the rate of Usual.
func (e *Estimator) rate(p *Planned) rate {
	h := p.Header
	models := results.Models(h.Models)
	offline := results.IsOffline(h.Models[""])
	kinds := []struct {
		what string
		like func(k results.Key) bool
	}{
		{"here", func(k results.Key) bool { return k.Variant == h.Variant && k.Models == models }},
		{"here, of other variants", func(k results.Key) bool { return k.Models == models }},
		// The embedded model's tokens do not predict an LLM's tokens.
		{"here, of other models", func(k results.Key) bool {
			return offline || !results.IsOffline(k.Models)
		}},
	}
	for _, kind := range kinds {
		var like []*results.Run
		for _, r := range e.Store.Runs {
			k := r.Key()
			if k.Task == h.Task && k.Method == h.Method &&
				r.Journal && r.Evaluations >= enoughEvaluations && kind.like(k) {
				like = append(like, r)
			}
		}
		if len(like) > 0 {
			m := e.measure(p, like)
			m.source = Counted(len(like), "run") + " " + kind.what
			return m
		}
	}
	return e.Usual(p)
}

// measure returns the mean rate of the runs. If they recorded no times, it estimates the times as
// Usual does.
func (e *Estimator) measure(p *Planned, runs []*results.Run) (m rate) {
	var evaluations, eap, evaluated, asked float64
	var worker, asking float64
	for _, r := range runs {
		evaluations += float64(r.Evaluations)
		m.Requests += float64(r.Asked)
		use := r.Tokens()
		m.prompt, m.answer = m.prompt+float64(use.Prompt), m.answer+float64(use.Completion)
		eap += float64(r.RoleTokens("eap"))
		t := e.times(r)
		worker, evaluated = worker+t.worker, evaluated+t.evaluated
		asking, asked = asking+t.asking, asked+t.asked
	}
	if total := m.prompt + m.answer; total > 0 {
		m.eap = eap / total
	}
	m.Requests, m.prompt, m.answer =
		m.Requests/evaluations, m.prompt/evaluations, m.answer/evaluations
	usual := e.Usual(p)
	m.Worker, m.Asking = usual.Worker, m.answer/data.ExpectedCosts().TokensPerSecond
	if evaluated > 0 {
		m.Worker = worker / evaluated
	}
	if asked > 0 {
		m.Asking = asking / asked * m.Requests
	}
	return m
}

// Usual returns the rate in data/costs.toml. For a model other than the embedded one, it uses the
// paper's number of tokens if the paper prints one.
func (e *Estimator) Usual(p *Planned) rate {
	h := p.Header
	costs := data.ExpectedCosts()
	name, _, _ := strings.Cut(h.Task, "@")
	task := costs.Tasks[name]
	s, known := task.Searches[h.Method]
	m := rate{
		Requests: s.Requests, prompt: s.Prompt, answer: s.Answer, eap: s.EAP,
		Worker: task.Evaluation, source: "data/costs.toml",
	}
	hours := "data/costs.toml"
	if t := keptTrial(p.Task); m.Worker == 0 && t != nil {
		m.Worker, hours = t.Seconds, "the template's score"
	}
	if !known {
		m.unknown, m.source = true, "no run here"
		if m.Worker > 0 {
			m.source += "; hours: " + hours
		}
		return m
	}
	if results.IsOffline(h.Models[""]) {
		return m // the embedded model answers immediately
	}
	if tokens, ok := data.PublishedTokens(name, h.Method); ok {
		scale := tokens / (m.prompt + m.answer)
		m.prompt, m.answer, m.source = scale*m.prompt, scale*m.answer, "the paper's tokens"
	}
	m.Asking = m.answer / costs.TokensPerSecond
	return m
}

// A timing sums a run's timing.jsonl: seconds of workers and of requests, and the numbers of
// evaluations and requests.
type timing struct{ worker, evaluated, asking, asked float64 }

// times sums the timing.jsonl of a run, as timesOf does. It reads each file only once.
func (e *Estimator) times(r *results.Run) timing {
	t, ok := e.timing[r]
	if !ok {
		t = timesOf(r.Dir)
		e.timing[r] = t
	}
	return t
}

// timesOf sums the timing.jsonl in dir. It leaves out times that are missing there, for example
// because an older version wrote the file.
func timesOf(dir string) (t timing) {
	for _, l := range results.Times(dir) {
		for _, ms := range l.WorkerMS {
			t.worker, t.evaluated = t.worker+ms/1000, t.evaluated+1
		}
		for _, ms := range l.AskMS {
			t.asking, t.asked = t.asking+ms/1000, t.asked+1
		}
	}
	return t
}
