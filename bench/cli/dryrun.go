package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

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

// dryRun shows what a suite would do and cost. It asks, evaluates and writes nothing.
func (c *console) dryRun(cc *cli.Context, s *suite) error {
	cells, lacking, err := c.plannedCells(cc, s)
	if err == nil {
		cells, err = chosen(cc, cells)
	}
	if err != nil {
		return err
	}
	out := cc.String("out")
	e, err := openEstimator(out)
	if err != nil {
		return err
	}
	atOnce := cmp.Or(cc.Int("cells"), cc.Int("jobs"))
	total := forecast{task: "total"}
	var rows []*forecast
	var reasons, refused []string
	shares := false
	for _, cl := range cells {
		splits, err := testSplits(cl.Task, testsOf(cc, s))
		if err != nil {
			return err
		}
		f := c.forecast(cc, e, cl, splits, atOnce)
		shares = shares || cl.Base != nil
		if run := e.runs[filepath.Clean(cellDir(out, cl.Header))]; run != nil && cl.Row == nil {
			if why := cl.refuses(run.Header); why != "" {
				refused = append(refused, cl.name()+": "+why)
				f = forecast{
					task: f.task, method: f.method, model: f.model, cells: 1, refused: 1,
					source: f.source,
				}
			}
		}
		if why := failedBefore(cellDir(out, cl.Header)); why != nil {
			reasons = append(reasons, cl.name()+": "+why.Reason)
			if !cc.Bool("retry") {
				f = forecast{
					task: f.task, method: f.method, model: f.model, cells: 1, source: f.source,
				}
			}
			f.failed = 1
		}
		i := slices.IndexFunc(rows, func(r *forecast) bool {
			return r.task == f.task && r.method == f.method && r.model == f.model
		})
		if i < 0 {
			i = len(rows)
			rows = append(rows,
				&forecast{task: f.task, method: f.method, model: f.model, source: f.source})
		}
		rows[i].add(f)
		total.add(f)
	}
	fmt.Fprintln(c.out, strings.TrimSuffix(s.Name+": "+s.About, ": "))
	models := map[string]bool{}
	for _, r := range rows {
		if r.model != "" {
			models[r.model] = true
		}
	}
	if len(models) == 1 {
		fmt.Fprintf(c.out, "Model: %s\n", slices.Collect(maps.Keys(models))[0])
	}
	fmt.Fprintln(c.out)
	writeForecasts(c.out, rows, &total, len(models) > 1, c.columns)
	fmt.Fprintf(c.out, "\nTo do: what is not finished in %s.\n"+
		"Hours: %s (--jobs), %s at once (--cells), at most %s at once (--concurrency),\n"+
		"and the limits of --rpm, --tpm and profiles.\n"+
		"Answers come at %.0f tokens a second where no run here says more.\n"+
		"USD: prices of the models' profiles.\n",
		filepath.ToSlash(out), counted(cc.Int("jobs"), "worker"), counted(atOnce, "cell"),
		counted(cc.Int("concurrency"), "request"), data.ExpectedCosts().TokensPerSecond)
	if total.unpriced {
		fmt.Fprintln(c.out, "?: a model without a price; "+
			"price_in and price_out in its profile tell it (docs/models.md).")
	}
	if lacking != nil {
		fmt.Fprintf(c.out, "Not set: %s. Export what you need, or give --model offline.\n",
			strings.Join(lacking, ", "))
	}
	if shares {
		fmt.Fprintln(c.out,
			"Paired: what variants take from the first one of their method is counted in full.")
	}
	for _, r := range reasons {
		fmt.Fprintln(c.out, "Failed before:", r)
	}
	for _, r := range refused {
		fmt.Fprintln(c.out, "Refused:", r)
	}
	if reasons != nil && !cc.Bool("retry") {
		fmt.Fprintln(c.out, "--retry tries failed cells again.")
	}
	fmt.Fprintln(c.out, "Nothing was asked, evaluated or written.")
	return nil
}

// plannedCells are the cells of a suite whose models need no keys yet: lacking names those that are
// not set.
func (c *console) plannedCells(
	cc *cli.Context, s *suite) (cells []*cell, lacking []string, err error) {
	o, err := c.openModels(cc, s.Profiles)
	if err != nil {
		return nil, nil, err
	}
	o.record = "" // nothing is asked
	o.lookup = func(name string) (string, bool) {
		text := os.Getenv(name)
		if text == "" && !slices.Contains(lacking, name) {
			lacking = append(lacking, name)
		}
		return cmp.Or(text, "not-set"), true
	}
	cells, err = spell(cc, s, o)
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
func (c *console) forecast(
	cc *cli.Context, e *estimator, cl *cell, splits []string, atOnce int) forecast {
	h := cl.Header
	f := forecast{task: h.Task, method: h.Method, cells: 1, source: "no search"}
	if settings := rowSettings(h); settings != "" {
		f.method += "@" + settings
	}
	run := e.runs[filepath.Clean(cellDir(cc.String("out"), h))]
	if cl.finished(cc.String("out"), splits) {
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
	f.worker = (f.evaluations*m.worker + tests) / float64(cc.Int("jobs"))
	f.asking = f.evaluations * m.asking / float64(min(cc.Int("concurrency"), atOnce*windowOf(cl)))
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

// writeForecasts writes the table: the rows of a task and a model under their names, then the
// total. What rows are estimated from is left out where lines have no room for it.
func writeForecasts(
	w io.Writer, rows []*forecast, total *forecast, severalModels bool, columns int) {
	heading := func(f *forecast) string {
		if severalModels && f.model != "" {
			return f.task + ", " + f.model
		}
		return f.task
	}
	groups := map[string][]*forecast{}
	var headings []string
	for _, f := range rows {
		h := heading(f)
		if groups[h] == nil {
			headings = append(headings, h)
		}
		groups[h] = append(groups[h], f)
	}
	lines := [][]string{{"METHOD", "CELLS", "TO DO", "EVALS", "REQUESTS", "TOKENS", "HOURS", "USD",
		"ESTIMATED FROM"}}
	for _, h := range headings {
		lines = append(lines, []string{h})
		for _, f := range groups[h] {
			lines = append(lines, append([]string{"  " + f.method}, f.cellsOfLine()...))
		}
	}
	lines = append(lines, nil, append([]string{total.task}, total.cellsOfLine()...))
	last := len(lines[0]) - 1
	widths := make([]int, last+1)
	length := -2
	for j := range widths {
		for _, l := range lines {
			if len(l) > 1 {
				widths[j] = max(widths[j], utf8.RuneCountInString(l[j]))
			}
		}
		length += widths[j] + 2
	}
	if length > columns {
		last--
	}
	for _, l := range lines {
		var b strings.Builder
		for j, text := range l[:min(len(l), last+1)] {
			pad := ""
			if len(l) > 1 {
				pad = strings.Repeat(" ", widths[j]-utf8.RuneCountInString(text))
			}
			switch {
			case j == 0:
				b.WriteString(text + pad)
			case j < len(widths)-1: // a number
				b.WriteString("  " + pad + text)
			default:
				b.WriteString("  " + text)
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

// cellsOfLine are the columns behind the name.
func (f *forecast) cellsOfLine() []string {
	todo := strconv.Itoa(f.cells - f.finished)
	for _, part := range []struct {
		n    int
		what string
	}{{f.begun, "begun"}, {f.refused, "refused"}, {f.failed, "failed"}} {
		if part.n > 0 {
			todo += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	usd := fmt.Sprintf("%.2f", f.usd)
	if f.unpriced {
		usd += " + ?"
	}
	return []string{strconv.Itoa(f.cells), todo,
		short(f.evaluations), short(f.requests), short(f.tokens),
		fmt.Sprintf("%.1f", f.hours), usd, f.source}
}

// short is a number for people: 950, 12.3k, 4.56M.
func short(n float64) string {
	switch {
	case n >= 999_500:
		return fmt.Sprintf("%.2fM", n/1e6)
	case n >= 10_000:
		return fmt.Sprintf("%.0fk", n/1e3)
	}
	return fmt.Sprintf("%.0f", n)
}
