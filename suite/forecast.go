package suite

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/record"
)

// A Forecast is the expected work and cost of the runs in one row of --dry-run.
type Forecast struct {
	Task, Method, Model           string
	Runs, Finished, Begun, Failed int
	Refused                       int
	Evaluations, Requests, Tokens float64
	Hours                         float64
	// Elapsed seconds of the evaluations on all workers, and of the concurrent requests.
	worker, asking float64
	limited        map[string]float64 // by profile: seconds that its limits require
	Usd            float64
	Unpriced       bool // a part of the cost is unknown
	Unasked        bool // a part of the requests and tokens is unknown
	Untimed        bool // a part of the hours is unknown
	Source         string
}

// A prognosis is the expected work and cost of a suite.
type prognosis struct {
	Rows    []*Forecast
	Total   Forecast
	Lacking []string // keys that are not set
	Failed  []string // why earlier runs failed
	Refused []string // why existing runs cannot continue
	Paired  bool
	Tried   bool // the templates of users' tasks were scored
}

// Predict estimates the work and cost of a suite without making a request or a run. Like a first
// run, it tries users' tasks, because the trial measures the time of an evaluation.
func (s *Suite) Predict(ctx context.Context, o Options) (*prognosis, error) {
	runs, lacking, err := PlannedRuns(o, s)
	if err != nil {
		return nil, err
	}
	untried := slices.DeleteFunc(slices.Clone(runs), func(p *Planned) bool {
		return p.Method == nil || !o.own(p.Task) || keptTrial(p.Task) != nil
	})
	if len(untried) > 0 {
		try := func(w *Backend) error { return w.TryTasks(ctx, o, untried) }
		if err := WithBackend(ctx, o, try, TasksOf(untried)...); err != nil {
			return nil, err
		}
	}
	e, err := openEstimator(o.Out)
	if err != nil {
		return nil, err
	}
	whole := &prognosis{
		Total: Forecast{Task: "total"}, Lacking: lacking, Tried: len(untried) > 0,
	}
	for _, p := range runs {
		f := e.forecast(o, p)
		whole.Paired = whole.Paired || p.Base != nil
		here := p.runDir(o.Out)
		if run := e.runs[filepath.Clean(here.dir)]; run != nil && p.Baseline == nil {
			if why := p.refuses(run.Header); why != "" {
				whole.Refused = append(whole.Refused, p.Name()+": "+why)
				f = f.idle()
				f.Refused = 1
			}
		}
		if why := here.failed(); why != nil {
			whole.Failed = append(whole.Failed, p.Name()+": "+why.Reason)
			if !o.Retry {
				f = f.idle()
			}
			f.Failed = 1
		}
		i := slices.IndexFunc(whole.Rows, func(r *Forecast) bool {
			return r.Task == f.Task && r.Method == f.Method && r.Model == f.Model
		})
		if i < 0 {
			i = len(whole.Rows)
			whole.Rows = append(whole.Rows,
				&Forecast{Task: f.Task, Method: f.Method, Model: f.Model, Source: f.Source})
		}
		whole.Rows[i].Add(f)
		whole.Total.Add(f)
	}
	return whole, nil
}

// idle returns the forecast of a run that the command will not make.
func (f Forecast) idle() Forecast {
	return Forecast{Task: f.Task, Method: f.Method, Model: f.Model, Runs: 1, Source: f.Source}
}

// PlannedRuns returns the chosen runs of a suite. The models need no keys for this. lacking lists
// the keys that are not set.
func PlannedRuns(flags Options, s *Suite) (runs []*Planned, lacking []string, err error) {
	o, err := OpenModels(flags, s)
	if err != nil {
		return nil, nil, err
	}
	o.Record = "" // this opener makes no request
	o.lookup = func(name string) (string, bool) {
		text := os.Getenv(name)
		if text == "" && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
		return cmp.Or(text, "not-set"), true
	}
	if runs, err = s.planWith(o); err == nil {
		runs, err = Chosen(flags, runs)
	}
	return runs, lacking, err
}

// refuses returns the reason why an existing run cannot be continued as the planned run, or "" if
// it can. It skips the checks that need Python.
func (p *Planned) refuses(old record.Header) string {
	now := p.Header
	switch {
	case old.Budget > now.Budget:
		return fmt.Sprintf("its budget is %d evaluations, more than the planned %d", old.Budget,
			now.Budget)
	case old.Budget < now.Budget && bench.Scheduled(p.Method):
		return fmt.Sprintf("its budget is %d evaluations, and %s cannot extend it",
			old.Budget, p.Method.Name())
	case old.Paired != "" && p.Base == nil:
		return "it was made with --paired"
	case old.Paired == "" && p.Base != nil:
		return "it was made without --paired"
	}
	now.Budget, now.Requests = old.Budget, old.Requests
	now.Paired, now.PairedVariant = old.Paired, old.PairedVariant
	now.Python, now.NumPy, now.SciPy, now.Lock = old.Python, old.NumPy, old.SciPy, old.Lock
	now.Packages, now.Unsafe = old.Packages, old.Unsafe
	now.Arithmetic, now.Machine = old.Arithmetic, old.Machine
	return record.HeaderDifference(old, now)
}

// forecast returns the expected work and cost of the rest of one run.
func (e *Estimator) forecast(o Options, p *Planned) Forecast {
	h := p.Header
	f := Forecast{Task: h.Task, Method: h.Method, Runs: 1, Source: "no search"}
	if settings := settingsName(h); settings != "" {
		f.Method += "@" + settings
	}
	here := p.runDir(o.Out)
	run := e.runs[filepath.Clean(here.dir)]
	if here.finished(h, p.Tests) {
		f.Finished = 1
	} else if run != nil {
		f.Begun = 1
	}
	if p.Baseline != nil {
		return f
	}
	f.Model = p.Model.label
	m := e.rate(p)
	f.Source = m.source
	if f.Finished > 0 {
		return f
	}
	left := h.Budget
	if run != nil {
		left = max(0, h.Budget-run.Evaluations)
	}
	f.Evaluations = float64(left)
	// If the budget counts requests, it also bounds the requests of the run.
	f.Requests = f.Evaluations * m.Requests
	if h.Requests == h.Budget && m.Requests > 1 {
		f.Evaluations, f.Requests = f.Evaluations/m.Requests, f.Evaluations
	}
	f.Tokens = f.Evaluations * (m.prompt + m.answer)
	tests, _ := p.TestSeconds(m.Worker)
	f.Unasked = m.unknown && left > 0
	f.Untimed = left > 0 && (m.Worker == 0 || m.unknown && len(p.Model.hosts) > 0)
	f.worker = (f.Evaluations*m.Worker + tests) / float64(o.Jobs)
	f.asking = f.Evaluations * m.Asking /
		float64(min(o.Concurrency, o.AtOnce()*WindowOf(h)))
	f.charge(p.Model, m)
	return f
}

// charge adds the cost of the evaluations in USD, if prices are known, and the time that the
// servers' limits require. A model without a server is free.
func (f *Forecast) charge(ch *choice, m rate) {
	f.limited = map[string]float64{}
	for role, share := range map[string]float64{"": 1 - m.eap, "eap": m.eap} {
		from := ch.byRole[""]
		if _, own := ch.names[role]; own {
			from = ch.byRole[role]
		}
		if from.host == "" || share == 0 && !f.Unasked {
			continue
		}
		if f.Unasked { // then the share is unknown, too
			f.Unpriced = f.Unpriced || from.price == nil || *from.price != (llm.Price{})
			continue
		}
		minutes := 0.0
		if n := from.limits.RequestsPerMinute; n > 0 {
			minutes = f.Requests / float64(n)
		}
		if n := from.limits.TokensPerMinute; n > 0 {
			minutes = max(minutes, f.Tokens/float64(n))
		}
		f.limited[from.profile] += share * minutes * 60
		if from.price == nil {
			f.Unpriced = true
			continue
		}
		f.Usd += share * f.Evaluations * (m.prompt*from.price.In + m.answer*from.price.Out) / 1e6
	}
}

// WindowOf returns the number of proposals that a search keeps in flight.
func WindowOf(h record.Header) int {
	var config struct {
		Window int `json:"window"`
	}
	if json.Unmarshal(h.Config, &config) != nil {
		return 1
	}
	return max(1, config.Window)
}

func (f *Forecast) Add(g Forecast) {
	f.Runs, f.Finished = f.Runs+g.Runs, f.Finished+g.Finished
	f.Begun, f.Failed = f.Begun+g.Begun, f.Failed+g.Failed
	f.Refused += g.Refused
	f.Evaluations, f.Requests = f.Evaluations+g.Evaluations, f.Requests+g.Requests
	f.Tokens += g.Tokens
	f.worker, f.asking, f.Usd = f.worker+g.worker, f.asking+g.asking, f.Usd+g.Usd
	f.Unpriced = f.Unpriced || g.Unpriced
	f.Unasked, f.Untimed = f.Unasked || g.Unasked, f.Untimed || g.Untimed
	f.Hours = max(f.worker, f.asking)
	for name, seconds := range g.limited {
		if f.limited == nil {
			f.limited = map[string]float64{}
		}
		f.limited[name] += seconds
		f.Hours = max(f.Hours, f.limited[name])
	}
	f.Hours /= 3600
}
