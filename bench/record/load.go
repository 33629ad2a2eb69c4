package record

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"

	"github.com/pacebench/pacebench/bench/journal"
	"github.com/pacebench/pacebench/bench/llm"
	"github.com/pacebench/pacebench/bench/note"
	"github.com/pacebench/pacebench/bench/program"
	"github.com/pacebench/pacebench/internal/plain"
)

// Loaded is a run as read from its directory.
type Loaded struct {
	Dir     string
	Header  Header
	Prices  llm.Prices // as run.json has them; nil where it has none
	Journal bool       // false for a baseline's row, which has a result only
	Digest  string     // of the journal's bytes: SHA-256 in hex
	Records []Line
	Result  *Result // nil while the run is unfinished
}

// Load reads a run directory and changes nothing: the header, the records in order, and result.json
// when there is one.
func Load(dir string) (*Loaded, error) {
	return load(dir, func(line []byte) []byte { return line })
}

// LoadWithoutTexts is Load for those who count: every text of the records that is longer than a
// kilobyte and no program (prompts, replies) is Omitted, which makes reading several times faster.
func LoadWithoutTexts(dir string) (*Loaded, error) {
	var short []byte
	return load(dir, func(line []byte) []byte {
		short = omitLong(short[:0], line, omitOver)
		return short
	})
}

func load(dir string, prepare func(line []byte) []byte) (*Loaded, error) {
	result, err := ReadResult(dir)
	if err != nil {
		return nil, err
	}
	l, err := loadJournal(dir, prepare)
	if errors.Is(err, os.ErrNotExist) && result != nil {
		l, err = &Loaded{Header: result.Header}, nil
	}
	if err != nil {
		return nil, err
	}
	l.Dir, l.Result = dir, result
	return l, nil
}

// LoadJournal is Load without result.json. path is a run's directory or its journal, packed or not.
func LoadJournal(path string) (*Loaded, error) {
	return loadJournal(path, func(line []byte) []byte { return line })
}

func loadJournal(path string, prepare func(line []byte) []byte) (*Loaded, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, JournalFile)
	}
	lines, _, err := journal.Lines(path)
	if err != nil {
		return nil, Damaged(err)
	}
	dir := filepath.Dir(path)
	if len(lines) == 0 {
		return nil, fmt.Errorf("%s: the journal is empty", dir)
	}
	if !json.Valid(lines[0]) {
		return nil, fmt.Errorf("%s:1: %w", path, journal.ErrCorrupt)
	}
	h, err := ParseHeader(lines[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	l := &Loaded{
		Dir: dir, Header: *h, Prices: readPrices(dir), Journal: true, Digest: digest(lines),
		Records: make([]Line, len(lines)-1),
	}
	seen := map[int]bool{} // steps, which need not stand in the order of their numbers
	for i, line := range lines[1:] {
		if l.Records[i], err = ParseLine(prepare(line)); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", path, i+2, err)
		}
		if s := l.Records[i].Step; s != nil {
			if s.Number < 0 || seen[s.Number] {
				return nil, Damaged(fmt.Errorf("%s:%d: step %d is there twice, or has no number",
					path, i+2, s.Number))
			}
			seen[s.Number] = true
		}
	}
	return l, nil
}

// digest is the SHA-256 of a journal's complete lines.
func digest(lines [][]byte) string {
	sum := sha256.New()
	for _, line := range lines {
		sum.Write(line)
		sum.Write([]byte{'\n'})
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// parseRecord decodes a line of a journal after its header.
func ParseLine(line []byte) (rec Line, err error) {
	if err := json.Unmarshal(line, &rec); err != nil {
		return rec, fmt.Errorf("not a record of this format: %w", err)
	}
	if (rec.Step == nil) == (rec.Note == nil) {
		return rec, errors.New("not a record of this format")
	}
	return rec, nil
}

// Programs returns the evaluated programs that have a score, in order of their evaluation.
func (l *Loaded) Programs() []Scored {
	var out []Scored
	for _, rec := range l.Records {
		if rec.Step == nil {
			continue
		}
		for _, ev := range rec.Step.Evaluations {
			if ev.Fault == nil {
				out = append(out, Scored{
					Program: program.Program{Source: ev.Source},
					Policy:  ev.Policy, Outcome: ev.Outcome,
					Step: rec.Step.Number, Evaluation: ev.Evaluation,
				})
			}
		}
	}
	return out
}

// readPrices reads the prices in run.json. Without a readable one there are none: the costs of
// the run are not known, and the run itself is whole.
func readPrices(dir string) llm.Prices {
	var file struct{ Prices llm.Prices }
	data, err := plain.Read(filepath.Join(dir, "run.json"), plain.Small)
	if err != nil || json.Unmarshal(data, &file) != nil {
		return nil
	}
	for _, p := range file.Prices {
		if p.Check() != nil {
			return nil
		}
	}
	return file.Prices
}

// Summarize derives a result from the journal, and from the prices what it cost.
func (l *Loaded) Summarize() *Result {
	r := &Result{Header: l.Header, Journal: l.Digest}
	for _, rec := range l.Records {
		if rec.Step == nil {
			r.AddNote(*rec.Note)
			continue
		}
		for _, q := range rec.Step.Requests {
			r.AddRequest(q, l.Prices.Of(l.Header.Models, q.Request.Purpose))
		}
		for _, e := range rec.Step.Evaluations {
			if r.AddEvaluation(rec.Step.Number, e) {
				r.Best.Program = cmp.Or(e.Policy, program.Program{Source: e.Source}.ID())
			}
		}
		for _, n := range rec.Step.Notes {
			r.AddNote(n)
		}
	}
	switch {
	case r.Evaluations-r.Refunded >= l.Header.Budget:
		r.Stopped = "budget"
	case r.Asked >= l.Header.Requests:
		r.Stopped = "requests"
		if l.Header.Requests > l.Header.Budget { // otherwise requests are the budget
			r.Warnings = []string{"ended at the limit on LLM requests before the budget was spent"}
		}
	default:
		r.Stopped = "method"
		r.Warnings = []string{"the method ended before the budget was spent"}
	}
	return r
}

// AddRequest counts a request, its tokens and, with the price of its model where that is known, its
// cost. A shared one counts like any other, so that runs can be compared, and once more in Shared.
func (t *Totals) AddRequest(q Request, price *llm.Price) {
	t.Asked++
	t.Usage = tally(t.Usage, q, price)
	if q.Shared {
		t.Shared = tally(t.Shared, q, price)
	}
}

func tally(sums map[llm.Purpose]Tally, q Request, price *llm.Price) map[llm.Purpose]Tally {
	if sums == nil {
		sums = map[llm.Purpose]Tally{}
	}
	sum := sums[q.Request.Purpose]
	switch usd, known := price.Cost(q.Reply.Usage); {
	case !known:
		sum.Cost = nil
	case sum.Cost != nil:
		usd += *sum.Cost
		sum.Cost = &usd
	case sum.Requests == 0:
		sum.Cost = &usd
	}
	sum.Requests, sum.Usage = sum.Requests+1, sum.Usage.Add(q.Reply.Usage)
	sums[q.Request.Purpose] = sum
	return sums
}

// SharedRequests is how many of the requests another run asked.
func (t *Totals) SharedRequests() (n int) {
	for _, s := range t.Shared {
		n += s.Requests
	}
	return n
}

// SharedTokens is how many tokens another run paid.
func (t *Totals) SharedTokens() (n int) {
	for _, s := range t.Shared {
		n += s.Usage.Total()
	}
	return n
}

// AddEvaluation counts an evaluation of a step and reports whether it is the new best, which is
// then t.Best without the program's name.
func (t *Totals) AddEvaluation(step int, e Evaluation) bool {
	t.Evaluations = max(t.Evaluations, e.Evaluation)
	if e.Fault != nil {
		if t.Faults == nil {
			t.Faults = map[FaultKind]int{}
		}
		t.Faults[e.Fault.Kind]++
		return false
	}
	if t.Best != nil && e.Score <= t.Best.Score {
		return false
	}
	t.Best = &BestResult{
		Score: e.Score, Value: Mean(e.Values), Step: step, Evaluation: e.Evaluation,
	}
	return true
}

// AddNote counts a round of which no program ran, and takes what training has used.
func (t *Totals) AddNote(n Note) {
	var training note.Training
	if n.Kind == training.Kind() && json.Unmarshal(n.Value, &training) == nil {
		t.Training = &training
		return
	}
	var round note.NothingRan
	if n.Kind != round.Kind() || json.Unmarshal(n.Value, &round) != nil {
		return
	}
	t.Barren += round.Evaluations
	if round.Refunded {
		t.Refunded += round.Evaluations
	}
}

// Summary is the result of the run in dir as its journal tells it.
func Summary(dir string) (*Result, error) {
	l, err := LoadJournal(dir)
	if err != nil {
		return nil, err
	}
	return l.Summarize(), nil
}

// Mean is the arithmetic mean, summed in order; 0 for no values.
func Mean(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// ErrTorn means that result.json is not JSON of its form: a part of the file that was written.
var ErrTorn = errors.New("not a result, or a part of one")

// ReadResult reads a directory's result.json; nil, nil when there is none.
func ReadResult(dir string) (*Result, error) {
	path := filepath.Join(dir, "result.json")
	data, err := plain.Read(path, plain.Small)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r Result
	err = json.Unmarshal(data, &r)
	if r.Format > FormatVersion {
		return nil, fmt.Errorf("%s: format %d, this program reads format %d",
			path, r.Format, FormatVersion)
	}
	if err == nil {
		err = exactKeys(data, r)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrTorn, err)
	}
	maps.DeleteFunc(r.Tests, func(_ string, o *SplitOutcome) bool { return o == nil })
	return &r, nil
}

// WriteResult writes result.json, which marks the cell in dir as finished.
func WriteResult(dir string, r *Result) error {
	data, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	return journal.WriteFile(filepath.Join(dir, "result.json"), append(data, '\n'))
}
