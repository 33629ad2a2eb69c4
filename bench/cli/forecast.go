package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pacebench/pacebench/bench/record"
	"github.com/pacebench/pacebench/data"
)

// A forecast is what cells of one row of --dry-run are expected to use.
type forecast struct {
	task, method, model            string
	cells, finished, begun, failed int
	refused                        int
	evaluations, requests, tokens  float64
	hours                          float64
	// Seconds, on all workers and all requests at once.
	worker, asking float64
	limited        map[string]float64 // seconds that the limits of a profile call for
	usd            float64
	unpriced       bool // a part of the cost is not known
	source         string
}

// A prognosis is what a suite would do and cost.
type prognosis struct {
	rows    []*forecast
	total   forecast
	lacking []string // keys that are not set
	failed  []string // why cells failed before
	refused []string // why the runs that are there cannot go on
	paired  bool
}

// predict foretells a suite. It asks, evaluates and writes nothing.
func (s *suite) predict(o options) (*prognosis, error) {
	cells, lacking, err := plannedCells(o, s)
	if err != nil {
		return nil, err
	}
	e, err := openEstimator(o.Out)
	if err != nil {
		return nil, err
	}
	p := &prognosis{total: forecast{task: "total"}, lacking: lacking}
	for _, cl := range cells {
		splits, err := testSplits(cl.Task, s.tests(o))
		if err != nil {
			return nil, err
		}
		f := e.forecast(o, cl, splits)
		p.paired = p.paired || cl.Base != nil
		dir := cellDir(o.Out, cl.Header)
		if run := e.runs[filepath.Clean(dir)]; run != nil && cl.Row == nil {
			if why := cl.refuses(run.Header); why != "" {
				p.refused = append(p.refused, cl.name()+": "+why)
				f = f.idle()
				f.refused = 1
			}
		}
		if why := failedBefore(dir); why != nil {
			p.failed = append(p.failed, cl.name()+": "+why.Reason)
			if !o.Retry {
				f = f.idle()
			}
			f.failed = 1
		}
		i := slices.IndexFunc(p.rows, func(r *forecast) bool {
			return r.task == f.task && r.method == f.method && r.model == f.model
		})
		if i < 0 {
			i = len(p.rows)
			p.rows = append(p.rows,
				&forecast{task: f.task, method: f.method, model: f.model, source: f.source})
		}
		p.rows[i].add(f)
		p.total.add(f)
	}
	return p, nil
}

// idle is the forecast of a cell that is left as it is.
func (f forecast) idle() forecast {
	return forecast{task: f.task, method: f.method, model: f.model, cells: 1, source: f.source}
}

// plannedCells are the chosen cells of a suite, whose models need no keys yet: lacking names those
// that are not set.
func plannedCells(flags options, s *suite) (cells []*cell, lacking []string, err error) {
	o, err := openModels(flags, s)
	if err != nil {
		return nil, nil, err
	}
	o.Record = "" // nothing is asked
	o.lookup = func(name string) (string, bool) {
		text := os.Getenv(name)
		if text == "" && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
		return cmp.Or(text, "not-set"), true
	}
	if cells, err = s.spellWith(o); err == nil {
		cells, err = chosen(flags, cells)
	}
	return cells, lacking, err
}

// refuses says why the run that is there cannot become the cell's; empty where it can. What needs a
// Python to know is left out.
func (c *cell) refuses(old record.Header) string {
	now := c.Header
	switch {
	case old.Budget > now.Budget:
		return fmt.Sprintf("it is there with %d evaluations, more than %d", old.Budget, now.Budget)
	case old.Paired != "" && c.Base == nil:
		return "it was made with --paired"
	case old.Paired == "" && c.Base != nil:
		return "it was made without --paired"
	}
	now.Budget, now.Requests = old.Budget, old.Requests
	now.Paired, now.PairedVariant = old.Paired, old.PairedVariant
	now.Python, now.NumPy, now.SciPy, now.Lock = old.Python, old.NumPy, old.SciPy, old.Lock
	now.Packages, now.Machine, now.Unsafe = old.Packages, old.Machine, old.Unsafe
	return record.HeaderDifference(old, now)
}

// forecast is what one cell is expected to use from now on.
func (e *estimator) forecast(o options, cl *cell, splits []string) forecast {
	h := cl.Header
	f := forecast{task: h.Task, method: h.Method, cells: 1, source: "no search"}
	if settings := rowSettings(h); settings != "" {
		f.method += "@" + settings
	}
	run := e.runs[filepath.Clean(cellDir(o.Out, h))]
	if cl.finished(o.Out, splits) {
		f.finished = 1
	} else if run != nil {
		f.begun = 1
	}
	if cl.Row != nil {
		return f
	}
	f.model = cl.Model.label
	m := e.rate(cl)
	f.source = m.source
	if f.finished > 0 {
		return f
	}
	left := h.Budget
	if run != nil {
		left = max(0, h.Budget-run.Evaluations)
	}
	f.evaluations = float64(left)
	// A method whose budget is requests makes no more than these.
	f.requests = f.evaluations * m.requests
	if h.Requests == h.Budget && m.requests > 1 {
		f.evaluations, f.requests = f.evaluations/m.requests, f.evaluations
	}
	f.tokens = f.evaluations * (m.prompt + m.answer)
	name, _, _ := strings.Cut(h.Task, "@")
	tests := data.ExpectedCosts().Tasks[name].Tests
	if len(splits) == 0 {
		tests = 0
	}
	f.worker = (f.evaluations*m.worker + tests) / float64(o.Jobs)
	f.asking = f.evaluations * m.asking /
		float64(min(o.Concurrency, o.atOnce()*windowOf(cl)))
	f.charge(cl.Model, m)
	return f
}

// charge adds the USD of the evaluations, as far as prices are known, and the time that servers'
// limits call for. A model without a server costs nothing.
func (f *forecast) charge(ch *choice, m rate) {
	f.limited = map[string]float64{}
	for role, share := range map[string]float64{"": 1 - m.eap, "eap": m.eap} {
		from := role
		if _, own := ch.names[role]; !own {
			from = ""
		}
		if _, server := ch.hosts[from]; !server || share == 0 {
			continue
		}
		l := ch.limits[from]
		f.limited[l.profile] += share * max(
			minutes(f.requests, l.RequestsPerMinute), minutes(f.tokens, l.TokensPerMinute)) * 60
		price, known := ch.prices[from]
		if !known {
			f.unpriced = true
			continue
		}
		f.usd += share * f.evaluations * (m.prompt*price.In + m.answer*price.Out) / 1e6
	}
}

// minutes is how long n takes at so many a minute; 0 is no limit.
func minutes(n float64, perMinute int) float64 {
	if perMinute == 0 {
		return 0
	}
	return n / float64(perMinute)
}

// windowOf is how many proposals the search has in flight.
func windowOf(cl *cell) int {
	var config struct {
		Window int `json:"window"`
	}
	if json.Unmarshal(cl.Header.Config, &config) != nil {
		return 1
	}
	return max(1, config.Window)
}

func (f *forecast) add(g forecast) {
	f.cells, f.finished = f.cells+g.cells, f.finished+g.finished
	f.begun, f.failed = f.begun+g.begun, f.failed+g.failed
	f.refused += g.refused
	f.evaluations, f.requests = f.evaluations+g.evaluations, f.requests+g.requests
	f.tokens += g.tokens
	f.worker, f.asking, f.usd = f.worker+g.worker, f.asking+g.asking, f.usd+g.usd
	f.unpriced = f.unpriced || g.unpriced
	f.hours = max(f.worker, f.asking)
	for name, seconds := range g.limited {
		if f.limited == nil {
			f.limited = map[string]float64{}
		}
		f.limited[name] += seconds
		f.hours = max(f.hours, f.limited[name])
	}
	f.hours /= 3600
}
