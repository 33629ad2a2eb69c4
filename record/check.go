package record

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/llm"
)

// ErrDiffers means that a file of a run contradicts the run's journal.
var ErrDiffers = errors.New("differs from journal.jsonl")

// CheckResult compares result.json with the result that follows from the journal and from the test
// values in result.json (Recorded). It ignores costs; CheckFiles checks them. An error wraps
// ErrDiffers and has a hint.
func (l *Loaded) CheckResult() error { return l.CheckAgainst(Recorded{Result: l.Result}) }

// CheckAgainst is CheckResult with a Recorded that may know the task's instances.
func (l *Loaded) CheckAgainst(r Recorded) error {
	if l.Result == nil {
		return nil
	}
	differs := func(format string, args ...any) error {
		text := fmt.Sprintf(format, args...)
		return hint.Add(fmt.Errorf("%s: result.json %w: %s", l.Dir, ErrDiffers, text),
			"restore the files of this run, or remove result.json "+
				"and repeat the run's command")
	}
	old := *l.Result
	if !l.Journal {
		return differs("there is a result but no journal")
	}
	if d := difference(old.Header, l.Header); d != nil {
		return differs("it belongs to another run, with %s instead of %s", d.old(), d.new)
	}
	if old.Journal != "" && old.Journal != l.Digest {
		return differs("it belongs to another journal")
	}
	now, err := l.Finish(context.Background(), old.Tested(), r)
	if err != nil {
		return differs("%v", err)
	}
	now.Journal = old.Journal // older results do not name their journal
	old.Usage, now.Usage = costless(old.Usage), costless(now.Usage)
	old.Shared, now.Shared = costless(old.Shared), costless(now.Shared)
	if d := difference(old, now); d != nil {
		return differs("it says %s instead of %s", d.old(), d.new)
	}
	return nil
}

// CheckSteps checks that each evaluation has the number that follows from the order and the score
// that follows from its values, and that the run kept its budget. A score is the mean of the
// values, multiplied by sign. If the task is unknown, sign and instances are 0, and the first score
// determines them.
func (l *Loaded) CheckSteps(sign float64, instances int) error {
	wrong := func(format string, args ...any) error {
		return hint.Add(fmt.Errorf("%s: %s", l.Dir, fmt.Sprintf(format, args...)),
			"restore the run from a copy")
	}
	spent := 0
	for s := range l.Steps() {
		for _, was := range s.Evaluations {
			now := was
			spent = now.Charge(spent)
			mean := Mean(was.Values)
			if was.Fault == nil && sign == 0 && mean != 0 {
				sign, instances = math.Copysign(1, was.Score*mean), len(was.Values)
			}
			if score := sign * mean; was.Fault == nil && score != was.Score { // -0 equals 0
				now.Score = score
			}
			if d := difference(was, now); d != nil {
				return wrong("step %d: evaluation %d says %s, but its order and values give %s",
					s.Number, was.Evaluation, d.old(), d.new)
			}
			if n := len(was.Values); was.Fault == nil && instances > 0 && n != instances {
				return wrong("step %d: evaluation %d has %d values instead of %d",
					s.Number, was.Evaluation, n, instances)
			}
		}
	}
	if r := l.Summarize(); r.Evaluations-r.Refunded > l.Header.Budget {
		return wrong("%d evaluations, but the budget is %d", r.Evaluations-r.Refunded,
			l.Header.Budget)
	}
	return nil
}

// CompareResult compares result.json with now, the totals of the journal, and describes the
// differences. If there are any, the journal is right, and tables show its totals. A result of
// another run is an error.
func (l *Loaded) CompareResult(now *Totals) (differences []string, err error) {
	r := l.Result
	if difference(r.Header, l.Header) != nil {
		return nil, errors.New("result.json belongs to another run than journal.jsonl")
	}
	if r.Journal != "" && r.Journal != l.Digest {
		return nil, errors.New("result.json belongs to another journal.jsonl")
	}
	if r.Evaluations != now.Evaluations {
		differences = append(differences, fmt.Sprintf(
			"result.json counts %d evaluations, the journal %d", r.Evaluations, now.Evaluations))
	}
	switch old, best := r.Best, now.Best; {
	case (old == nil) != (best == nil):
		differences = append(differences,
			"result.json and the journal differ on whether a program has a score")
	case old != nil && (old.Score != best.Score || old.Evaluation != best.Evaluation):
		differences = append(differences, fmt.Sprintf(
			"the best score is %g at evaluation %d in result.json, %g at %d in the journal",
			old.Score, old.Evaluation, best.Score, best.Evaluation))
	}
	return differences, nil
}

// costless returns the tallies without their costs.
func costless(usage map[llm.Purpose]Tally) map[llm.Purpose]Tally {
	out := map[llm.Purpose]Tally{}
	for purpose, t := range usage {
		t.Cost = nil
		out[purpose] = t
	}
	return out
}

// CheckBlobs checks the digests of a step's evidence in the run's directory.
func CheckBlobs(dir string, st *Step) error {
	for _, ev := range st.Evaluations {
		for _, b := range ev.Evidence {
			if _, err := ReadEvidence(dir, b); err != nil {
				return err
			}
		}
	}
	return nil
}

// evidence returns the evidence of the run's evaluations.
func (l *Loaded) evidence() iter.Seq[Blob] {
	return func(yield func(Blob) bool) {
		for s := range l.Steps() {
			for _, ev := range s.Evaluations {
				for _, b := range ev.Evidence {
					if !yield(b) {
						return
					}
				}
			}
		}
	}
}

// MissingPictures counts the pictures that are not in blobs/.
func (l *Loaded) MissingPictures() int {
	missing := map[string]bool{} // by digest; programs with the same behaviour share a picture
	for b := range l.evidence() {
		if l.lacks(b) {
			missing[b.Digest] = true
		}
	}
	return len(missing)
}

// lacks reports whether a blob is a picture without a file in blobs/. A replay needs no pictures.
func (l *Loaded) lacks(b Blob) bool {
	if !b.IsPicture() {
		return false
	}
	path, err := BlobPath(l.Dir, b.Digest)
	if err != nil {
		return false
	}
	_, err = os.Lstat(path)
	return errors.Is(err, os.ErrNotExist)
}

// CheckFiles checks best.py, run.json, and the costs in result.json against the journal. If a file
// differs or is missing, the error's hint says how to repair it; the run's command writes most
// files again. CheckFiles also checks the digests of the evidence in blobs/, which no command
// writes again. Pictures may be missing.
func (l *Loaded) CheckFiles() error {
	differs := func(format string, args ...any) error {
		return hint.Add(fmt.Errorf("%s: %w", l.Dir, fmt.Errorf(format, args...)),
			"repeat the run's command to write it again")
	}
	if f, err := ReadRunFile(l.Dir); err == nil && f == nil {
		return differs("run.json is missing, incomplete or without a header")
	}
	if err := l.CheckHeader(); err != nil {
		return err
	}
	for b := range l.evidence() {
		if l.lacks(b) {
			continue
		}
		if _, err := ReadEvidence(l.Dir, b); err != nil {
			return err
		}
	}
	now := l.Summarize()
	if l.Result != nil {
		for _, sums := range []struct {
			name     string
			was, now map[llm.Purpose]Tally
		}{{"usage", l.Result.Usage, now.Usage}, {"shared", l.Result.Shared, now.Shared}} {
			if d := difference(sums.was, sums.now); d != nil {
				return differs("result.json %w and the prices in run.json: "+
					"%s says %s instead of %s", ErrDiffers, sums.name, d.old(), d.new)
			}
		}
	}
	if l.Header.Family == Trained {
		if now.Best != nil {
			_, err := ReadBlob(l.Dir, now.Best.Program)
			return hint.Add(err,
				"restore the policy from a copy of the run; otherwise, train it again")
		}
		return nil
	}
	source, err := plain.Read(filepath.Join(l.Dir, "best.py"), plain.Small)
	switch {
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return err
	case now.Best == nil && err == nil:
		return hint.Add(fmt.Errorf("%s: best.py %w: no program has a score", l.Dir, ErrDiffers),
			"remove best.py")
	case now.Best == nil:
		return nil
	case err != nil:
		return differs("best.py is missing")
	case string(source) != l.Winner(l.Programs()).Program.Source:
		return differs("best.py %w: evaluation %d has the best program",
			ErrDiffers, now.Best.Evaluation)
	}
	return nil
}

// CheckHeader checks run.json, if it exists, against the journal's header.
func (l *Loaded) CheckHeader() error {
	f, err := ReadRunFile(l.Dir)
	if err != nil || f == nil {
		return err
	}
	return CheckRunFile(l.Dir, f, l.Header)
}

// A change is the first field in which two values differ, with its two contents as JSON.
type change struct{ field, was, new string }

func (c *change) old() string { return c.field + " = " + c.was }

// Difference names the first field in which two values differ as JSON, with its old and its new
// content; "" if the values are equal.
func Difference(old, now any) string {
	d := difference(old, now)
	if d == nil {
		return ""
	}
	return fmt.Sprintf("says %s, but computed again it is %s", d.old(), d.new)
}

// HeaderDifference describes the first difference between two headers; "" if they are equal.
func HeaderDifference(old, now Header) string {
	if d := filesOfTask(old, now); d != "" {
		return d
	}
	if d := VersionDifference(old, now); d != "" {
		return d
	}
	if d := filesOfMethod(old, now); d != "" {
		return d
	}
	d := difference(old, now)
	if d == nil {
		return ""
	}
	if d.field == "arithmetic" {
		return ArithmeticDifference(old, now)
	}
	return fmt.Sprintf("header says %s, this command says %s", d.old(), d.new)
}

// FilesDiffer reports whether files of the same task or method in Python have changed between two
// headers.
func FilesDiffer(old, now Header) bool {
	return filesOfTask(old, now)+filesOfMethod(old, now) != ""
}

func filesOfTask(old, now Header) string {
	if old.Task != now.Task {
		return ""
	}
	return FilesDifference("task", old.Files, now.Files)
}

func filesOfMethod(old, now Header) string {
	a, b := old.MethodFile, now.MethodFile
	if a == nil || b == nil || old.Method != now.Method {
		return ""
	}
	return FilesDifference("method", a.Files, b.Files)
}

// ArithmeticDifference names the classes of arithmetic of two headers if the classes differ,
// because their scores are not comparable; otherwise it returns "".
func ArithmeticDifference(was, now Header) string {
	if was.Class() == now.Class() {
		return ""
	}
	return fmt.Sprintf("scored with %q, this machine computes with %q: scores from different "+
		"classes of arithmetic are not comparable", was.Class(), now.Class())
}

// HintArithmetic is the hint for classes of arithmetic that differ.
const HintArithmetic = "use a machine and a version of pacebench with the run's class of " +
	"arithmetic (pacebench doctor shows the class of this machine), or use another --out"

// VersionDifference names the versions of two headers' method if the versions differ; otherwise it
// returns "".
func VersionDifference(old, now Header) string {
	if old.Method != now.Method || old.MethodVersion == now.MethodVersion {
		return ""
	}
	return fmt.Sprintf("version %s of %s made the run, and this pacebench has version %s",
		old.VersionOf(), old.Method, now.VersionOf())
}

// FilesDifference names a file of a task or method in Python that has changed; "" if no file has.
func FilesDifference(what string, old, now map[string]string) string {
	for _, name := range slices.Sorted(maps.Keys(old)) {
		switch digest, ok := now[name]; {
		case !ok:
			return fmt.Sprintf("%s no longer belongs to the %s", name, what)
		case digest != old[name]:
			return fmt.Sprintf("%s has changed", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(now)) {
		if _, ok := old[name]; !ok {
			return fmt.Sprintf("%s is a new file of the %s", name, what)
		}
	}
	return ""
}

// difference returns the first change between two values as JSON; nil if they are equal.
func difference(old, now any) *change {
	a, err1 := json.Marshal(old)
	b, err2 := json.Marshal(now)
	if err1 != nil || err2 != nil {
		panic("record: a record does not encode")
	}
	if bytes.Equal(a, b) {
		return nil
	}
	return walk("", decode(a), decode(b))
}

// decode keeps numbers as written.
func decode(data []byte) (v any) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if d.Decode(&v) != nil {
		return nil
	}
	return v
}

// walk returns the first field that differs, in alphabetical order.
func walk(prefix string, x, y any) *change {
	xs, xok := x.([]any)
	ys, yok := y.([]any)
	if xok && yok && len(xs) == len(ys) {
		for i := range xs {
			if c := walk(fmt.Sprintf("%s[%d]", prefix, i), xs[i], ys[i]); c != nil {
				return c
			}
		}
		return nil
	}
	xm, xok := x.(map[string]any)
	ym, yok := y.(map[string]any)
	if !xok || !yok {
		if reflect.DeepEqual(x, y) {
			return nil
		}
		return &change{prefix, short(x), short(y)}
	}
	names := slices.AppendSeq(slices.Collect(maps.Keys(xm)), maps.Keys(ym))
	slices.Sort(names)
	for _, k := range slices.Compact(names) {
		name := k
		if prefix != "" {
			name = prefix + "." + k
		}
		if c := walk(name, xm[k], ym[k]); c != nil {
			return c
		}
	}
	return nil
}

// short returns a value's JSON, cut to a length that fits in an error.
func short(v any) string {
	if v == nil {
		return "nothing"
	}
	const most = 200
	data, err := json.Marshal(v)
	if err != nil {
		return "?"
	}
	if len(data) > most {
		return string(bytes.ToValidUTF8(data[:most], nil)) + "…"
	}
	return string(data)
}
