package mles

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/benchtest"
	"github.com/pacebench/pacebench/internal/testkit/llmtest"
	"github.com/pacebench/pacebench/internal/testkit/methodtest"
	"github.com/pacebench/pacebench/internal/testkit/programtest"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods/internal/evolve"
	"github.com/pacebench/pacebench/methods/internal/pop"
	"github.com/pacebench/pacebench/record"
	"github.com/pacebench/pacebench/record/note"
)

// small is the configuration of the scripted checks: one lane and a population of four.
func small() *MLES {
	m := New()
	m.Population, m.Window = 4, 1
	return m
}

// byCall scores reply i with i.
func byCall(i int, _ llm.Request) string { return methodtest.Scored(i, i) }

// crash is a reply whose program raises an exception.
func crash(i int) string {
	return methodtest.Answer("a crash", fmt.Sprintf("raise ValueError(%d)  # raises", i))
}

// run runs a method with a model in dir; methodtest.Score scores the programs. It limits the
// model's calls.
func run(t *testing.T, m *MLES, model llm.Model, budget int, dir string) *record.Loaded {
	t.Helper()
	return benchtest.Run(t, m, benchtest.Config{
		Model: model, Budget: budget, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{Score: methodtest.Score}, Dir: dir,
	})
}

// proposed returns the operators of all proposals, in order.
func proposed(t *testing.T, l *record.Loaded) []string {
	t.Helper()
	var out []string
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		out = append(out, o.Operator)
	}
	return out
}

// evaluated returns the operators of the proposals that gave a program.
func evaluated(t *testing.T, l *record.Loaded) []string {
	t.Helper()
	var out []string
	for _, o := range methodtest.Notes[note.Offspring](t, l, "offspring") {
		if o.Lost == "" {
			out = append(out, o.Operator)
		}
	}
	return out
}

// lastPopulation returns the fitness of the survivors at the end; fillers have −∞.
func lastPopulation(t *testing.T, l *record.Loaded) []float64 {
	t.Helper()
	all := methodtest.Notes[note.Survivors](t, l, "population")
	scores := methodtest.Scores(l)
	var out []float64
	for _, m := range all[len(all)-1].Members {
		if s := scores[m.Program-1]; s == nil || m.Filler {
			out = append(out, math.Inf(-1))
		} else {
			out = append(out, *s)
		}
	}
	return out
}

func same[T any](t *testing.T, what string, want, got T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s mismatch (-want +got):\n%s", what, diff)
	}
}

func count(operators []string) map[string]int {
	n := map[string]int{}
	for _, op := range operators {
		n[op]++
	}
	return n
}

func TestOperatorOrder(t *testing.T) {
	model := methodtest.Model(byCall)
	l := run(t, small(), model, 14, "")
	want := slices.Concat(
		slices.Repeat([]string{"I1"}, 4),
		slices.Repeat([]string{"e1", "e2", "m1_M", "m2_M"}, 2),
		[]string{"e1", "e2"},
	)
	same(t, "operators", want, methodtest.Operators(model))
	same(t, "survivors", []float64{11, 10, 9, 8}, lastPopulation(t, l))
	if best := l.Summarize().Best; best == nil || best.Score != 13 {
		t.Errorf("best = %+v, want score 13, from a buffer that never merged", best)
	}
}

// TestLanes runs the method with its defaults. The kit compares journals at different --jobs.
func TestLanes(t *testing.T) {
	model := llm.NewScripted(
		func(r llm.Request) string { return methodtest.Scored(int(r.Draw), r.Draw) },
	)
	l := run(t, New(), model, 1000, "")
	if r := l.Summarize(); r.Asked != 1000 || r.Evaluations != 1000 || r.Requests != 1000 ||
		len(r.Warnings) > 0 {
		t.Errorf(
			"%d requests, %d evaluations, warnings %q; want 1000 of each and no warning",
			r.Asked,
			r.Evaluations,
			r.Warnings,
		)
	}
	operators := proposed(t, l)
	shares := count(operators)
	if shares["I1"] != 23 || slices.Index(operators, "e1") != 23 {
		t.Errorf("%d I1 before place %d, want 23", shares["I1"], slices.Index(operators, "e1"))
	}
	same(
		t,
		"first operators",
		slices.Repeat([]string{"e1", "e2", "m1_M", "m2_M"}, 2),
		operators[23:31],
	)
	// The next step of each lane is its own next operator.
	same(
		t,
		"second operators",
		slices.Repeat([]string{"e2", "m1_M", "m2_M", "e1"}, 2),
		operators[31:39],
	)
	delete(shares, "I1")
	least, most := 1000, 0
	for _, op := range cycle {
		least, most = min(least, shares[op.Name]), max(most, shares[op.Name])
	}
	if most-least > 2 {
		t.Errorf("shares of the operators: %v", shares)
	}
}

func TestCallsAreTheBudget(t *testing.T) {
	third := func(i int, r llm.Request) string {
		if i%3 == 0 {
			return "{an idea without code}"
		}
		return byCall(i, r)
	}
	model := methodtest.Model(third)
	l := run(t, small(), model, 12, "")
	if r := l.Summarize(); r.Asked != 12 || r.Evaluations != 8 || r.Stopped != "requests" ||
		len(r.Warnings) > 0 {
		t.Errorf(
			"%d requests, %d evaluations, stopped by %s, warnings %q; want 12, 8, requests, none",
			r.Asked,
			r.Evaluations,
			r.Stopped,
			r.Warnings,
		)
	}
	want := append(slices.Repeat([]string{"I1"}, 6), "e1", "e2", "m1_M", "m2_M", "e1", "e2")
	same(t, "operators", want, methodtest.Operators(model))

	m := small()
	m.Unit = Evaluations
	model = methodtest.Model(third)
	l = run(t, m, model, 12, "")
	if r := l.Summarize(); r.Asked != 18 || r.Evaluations != 12 || r.Stopped != "budget" {
		t.Errorf(
			"by evaluations: %d requests, %d evaluations, stopped by %s; want 18, 12, budget",
			r.Asked,
			r.Evaluations,
			r.Stopped,
		)
	}
	same(
		t,
		"operators of the evaluated",
		strings.Fields("I1 I1 I1 I1 e2 m1_M e1 e2 m2_M e1 m1_M m2_M"),
		evaluated(t, l),
	)
	same(t, "survivors", []float64{17, 16, 14, 13}, lastPopulation(t, l))
}

func TestFailures(t *testing.T) {
	m := small()
	m.Unit = Evaluations
	l := run(t, m, methodtest.Model(func(i int, r llm.Request) string {
		if i%2 == 0 {
			return crash(i)
		}
		return byCall(i, r)
	}), 40, "")
	same(
		t,
		"operators",
		map[string]int{"I1": 8, "e1": 8, "e2": 8, "m1_M": 8, "m2_M": 8},
		count(proposed(t, l)),
	)
	same(t, "survivors", []float64{39, 37, 35, 33}, lastPopulation(t, l))
	for _, rec := range l.Records {
		if rec.Step == nil {
			continue
		}
		for _, e := range rec.Step.Evaluations {
			if (e.Fault == nil) != (len(e.Evidence) > 0) {
				t.Errorf(
					"evaluation %d: fault %v with %d pieces of evidence",
					e.Evaluation,
					e.Fault,
					len(e.Evidence),
				)
			}
		}
	}
}

func TestEqualScoresAreDuplicates(t *testing.T) {
	model := methodtest.Model(func(i int, _ llm.Request) string { return methodtest.Scored(i, 1) })
	l := run(t, small(), model, 20, "")
	inf := math.Inf(-1)
	same(t, "survivors", []float64{1, inf, inf, inf}, lastPopulation(t, l))
	for _, p := range methodtest.Prompts(model, "e1") {
		if n := strings.Count(p, "{idea 0}"); n != 2 {
			t.Errorf("a prompt shows the only parent %d times, want twice:\n%s", n, p)
		}
	}
	for i, s := range methodtest.Scores(l) {
		if s == nil || *s != 1 {
			t.Errorf("evaluation %d: the journal keeps %v, want 1", i+1, s)
		}
	}
	var want []Demoted
	for i := 2; i <= 20; i++ {
		want = append(want, Demoted{Program: i, Duplicate: true})
	}
	same(t, "demoted", want, methodtest.Notes[Demoted](t, l, "demoted"))
}

func TestSelectionLaw(t *testing.T) {
	const draws = 100_000
	for _, fillers := range []int{0, 3} {
		p := pop.New[evolve.Candidate](8, 8)
		for i := range 4 {
			p.Register(evolve.Candidate{ID: i}, fmt.Sprint(i), float64(4-i))
		}
		for i := range fillers {
			p.Register(evolve.Candidate{ID: 9}, fmt.Sprint("filler", i), 1)
		}
		p.Survive()
		r, count := rand.New(rand.NewPCG(5, 6)), make([]float64, 10)
		for range draws {
			count[selectParents(r, p, 1)[0].ID]++
		}
		chi2 := 0.0
		for i, share := range []float64{0.45505, 0.27600, 0.16741, 0.10154} {
			chi2 += (count[i] - draws*share) * (count[i] - draws*share) / (draws * share)
		}
		if count[9] > 0 || chi2 > 16.27 { // 3 degrees of freedom, p = 0.001
			t.Errorf("with %d fillers: counts %v, chi-square %.1f", fillers, count, chi2)
		}
	}
	// Pairs: never the same member twice, and the best of 16 in a share of 0.6766 of them.
	p, best := pop.New[evolve.Candidate](16, 16), 0.0
	for i := range 16 {
		p.Register(evolve.Candidate{ID: i}, fmt.Sprint(i), float64(-i))
	}
	r := rand.New(rand.NewPCG(7, 8))
	for range draws {
		pair := selectParents(r, p, 2)
		if pair[0].ID == pair[1].ID {
			t.Fatal("a pair of one program")
		}
		if min(pair[0].ID, pair[1].ID) == 0 {
			best++
		}
	}
	if share := best / draws; math.Abs(share-0.6766) > 0.006 { // four standard deviations
		t.Errorf("the best is in a share of %.4f of the pairs, want 0.6766", share)
	}
	one := pop.New[evolve.Candidate](1, 1)
	one.Register(evolve.Candidate{ID: 3}, "a", 1)
	if pair := selectParents(r, one, 2); len(pair) != 2 || pair[1].ID != 3 {
		t.Errorf("the only program as parents: %v, want it twice", pair)
	}
}

// part is a part of a message in its JSON form.
type part struct {
	Type     string
	Text     string
	ImageURL map[string]string `json:"image_url"`
}

// TestMessageStructure checks the requests at a server. With records, the task is like Bipedal
// Walker.
func TestMessageStructure(t *testing.T) {
	const records = "step 0: hull angle 0.1\nstep 1: hull angle 0.2"
	for _, withRecords := range []bool{false, true} {
		server := llmtest.New(t, methodtest.Model(byCall))
		client, err := llm.NewOpenAI(llm.Config{Model: "gpt-4o-mini", BaseURL: server.URL})
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		evaluator := &benchtest.Evaluator{
			Score: methodtest.Score,
			Evidence: func(source string) []bench.Blob {
				blobs := benchtest.Picture(source)
				if withRecords {
					blobs = append(blobs, benchtest.Blob("text/plain", []byte(records)))
				}
				return blobs
			},
		}
		c := benchtest.Config{
			Model:     client,
			Budget:    14,
			Analyzer:  programtest.Analyzer(t),
			Evaluator: evaluator,
		}
		l := benchtest.Run(t, small(), c)
		c.Model = methodtest.Model(byCall)
		_, through, _ := bytes.Cut(read(t, l.Dir), []byte("\n"))
		_, direct, _ := bytes.Cut(read(t, benchtest.Run(t, small(), c).Dir), []byte("\n"))
		if !bytes.Equal(direct, through) {
			t.Error("the journal of a run through HTTP differs from a direct run's")
		}
		shape := []string{"text", "text", "text", "text", "image_url", "text"}
		if withRecords {
			shape = append(shape, "text")
		}
		pictures := picturesOf(l)
		notes := methodtest.Notes[note.Offspring](t, l, "offspring")
		for i, body := range server.Bodies() {
			var sent struct {
				Messages []struct {
					Role    string
					Content json.RawMessage
				}
			}
			if err := json.Unmarshal(body, &sent); err != nil || len(sent.Messages) != 1 ||
				sent.Messages[0].Role != "user" {
				t.Fatalf("request %d: %d messages, %v", i, len(sent.Messages), err)
			}
			var text string
			isText := json.Unmarshal(sent.Messages[0].Content, &text) == nil
			if sees := strings.HasSuffix(notes[i].Operator, "_M"); isText == sees {
				t.Errorf("%s: one text: %v", notes[i].Operator, isText)
			}
			if isText {
				continue
			}
			var parts []part
			if err := json.Unmarshal(sent.Messages[0].Content, &parts); err != nil {
				t.Fatal(err)
			}
			var types []string
			for _, p := range parts {
				types = append(types, p.Type)
			}
			same(t, notes[i].Operator+": parts", shape, types)
			if withRecords && !strings.Contains(parts[5].Text, records) {
				t.Errorf("the text behind the picture has no records: %q", parts[5].Text)
			}
			encoded, ok := strings.CutPrefix(parts[4].ImageURL["url"], "data:image/png;base64,")
			data, err := base64.StdEncoding.DecodeString(encoded)
			if !ok || err != nil || strings.ContainsAny(encoded, " \r\n\t") ||
				len(parts[4].ImageURL) != 1 ||
				!bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
				t.Errorf("%v: %v", parts[4].ImageURL, err)
			}
			if got, want := llm.NewImage("image/png", data).Digest,
				pictures[notes[i].Parents[0]]; got != want {
				t.Errorf(
					"%s shows picture %s, program %d has %s",
					notes[i].Operator,
					got,
					notes[i].Parents[0],
					want,
				)
			}
		}
	}
}

// picturesOf returns the digests of the programs' pictures, by evaluation.
func picturesOf(l *record.Loaded) map[int]string {
	out := map[int]string{}
	for _, rec := range l.Records {
		if rec.Step == nil {
			continue
		}
		for _, e := range rec.Step.Evaluations {
			if len(e.Evidence) > 0 {
				out[e.Evaluation] = e.Evidence[0].Digest
			}
		}
	}
	return out
}

func TestRecordsCanBeLeftOut(t *testing.T) {
	c := evolve.Candidate{Picture: llm.NewImage("image/png", []byte("x")), Records: "step 0"}
	m := New()
	if n := len(m.parts(m1, benchtest.Problem(), []evolve.Candidate{c})); n != 7 {
		t.Errorf("%d parts, want 7", n)
	}
	m.Records = RecordsNone
	if n := len(m.parts(m1, benchtest.Problem(), []evolve.Candidate{c})); n != 6 {
		t.Errorf("without records: %d parts, want 6", n)
	}
}

// A scripted program is worst on the instance that its score chooses.
type scripted struct {
	bench.Unmeasured
	neverCalled
	score float64
}

type neverCalled struct{ bench.Target }

func (scripted) Close() error { return nil }

type loader struct{}

func (loader) Load(_ context.Context, source, _, _ string, _ bench.Limits) (bench.Target, error) {
	return scripted{score: methodtest.Score(source).Score}, nil
}

// TestRightPicture mutates a line of programs, each worst on another instance: every prompt shows
// the picture of the parent's own worst instance, never an ancestor's.
func TestRightPicture(t *testing.T) {
	m := small()
	m.Population = 1 // the best is the only parent
	task := &bench.Task{
		Problem: benchtest.Problem(), Splits: []bench.Split{{Name: "train", Instances: 4}},
		Score: func(_ context.Context, in bench.Instance, f bench.Target) (bench.Measure, error) {
			s := f.(scripted).score
			v := s + 1
			if in.Number == int(s)%4 {
				v = s - 3
			}
			return bench.Measure{Value: v, Trace: fmt.Append(nil, s)}, nil
		},
		Evidence: func(_ context.Context, in bench.Instance, trace []byte) ([]bench.Blob, error) {
			return benchtest.Picture(fmt.Sprint(string(trace), " ", in.Number)), nil
		},
	}
	task.Goal = bench.Maximize
	model := methodtest.Model(byCall)
	benchtest.Run(t, m, benchtest.Config{
		Problem: task.Problem, Model: model, Budget: 13, Analyzer: programtest.Analyzer(t),
		Evaluator: &bench.TaskEvaluator{Task: task, Loader: loader{}, Evidence: true},
	})
	shown := 0
	for i, r := range model.Requests() {
		if len(r.User) == 1 {
			continue
		}
		shown++
		parent := i - 1 // reply i scores i
		if got, want := r.User[4].Image.Digest,
			benchtest.Picture(fmt.Sprint(parent, " ", parent%4))[0].Digest; got != want {
			t.Errorf("request %d shows %s, its parent's worst instance is %s", i, got, want)
		}
	}
	if shown < 4 {
		t.Errorf("%d pictures shown, want more", shown)
	}
}

func TestATaskWithoutPicturesIsRefused(t *testing.T) {
	c := benchtest.Config{
		Model: methodtest.Model(byCall), Budget: 14, Analyzer: programtest.Analyzer(t),
		Evaluator: &benchtest.Evaluator{
			Score:    methodtest.Score,
			Evidence: func(string) []bench.Blob { return nil },
		},
	}
	_, err := benchtest.Prepare(t, New(), c).Execute(t.Context(), t.TempDir())
	if err == nil ||
		!strings.Contains(err.Error(), "task toy gave no picture of a program's behaviour") {
		t.Errorf("Execute = %v, want a task refused", err)
	}
}

func TestColdStart(t *testing.T) {
	model := llm.NewScripted(
		func(r llm.Request) string { return methodtest.Scored(int(r.Draw), r.Draw) },
	)
	l := run(t, New(), model, 60, "")
	for i, o := range methodtest.Notes[note.Offspring](t, l, "offspring")[:16] {
		if o.Operator != "I1" || len(o.Parents) > 0 {
			t.Errorf("program %d: %+v, want I1 without parents", i+1, o)
		}
	}
	for _, text := range methodtest.Prompts(model) {
		if strings.Contains(text, benchtest.Problem().Template.Body) {
			t.Errorf("a prompt shows the template's body:\n%s", text)
		}
	}
}

func TestInitialisationThatNeverSucceeds(t *testing.T) {
	for _, tt := range []struct{ cap, calls int }{{50, 51}, {0, 1000}} {
		m := small()
		m.Population, m.InitCap = 16, tt.cap
		model := methodtest.Model(func(i int, _ llm.Request) string { return crash(i) })
		l := run(t, m, model, 1000, "")
		same(t, "operators", map[string]int{"I1": tt.calls}, count(methodtest.Operators(model)))
		same(
			t,
			"failure",
			[]note.Failure{{Reason: "no valid program"}},
			methodtest.Notes[note.Failure](t, l, "failure"),
		)
		if r := l.Summarize(); r.Best != nil || r.Evaluations != tt.calls {
			t.Errorf(
				"best %v after %d evaluations, want none after %d",
				r.Best,
				r.Evaluations,
				tt.calls,
			)
		}
	}
}

func TestACappedInitialisationIsPromoted(t *testing.T) {
	for good, reason := range map[int]string{
		0: "no valid program", 1: "initialisation failed", 2: "",
	} {
		m := small()
		m.Population, m.InitCap = 16, 4
		l := run(t, m, methodtest.Model(func(i int, r llm.Request) string {
			if i < good || i > 4 {
				return byCall(i, r)
			}
			return crash(i)
		}), 40, "")
		var want []note.Failure
		operators := []string{"I1", "I1", "I1", "I1", "I1"}
		if reason != "" {
			want = []note.Failure{{Reason: reason, Members: good}}
		} else {
			operators = append(operators, "e1", "e2")
		}
		same(t, "failure", want, methodtest.Notes[note.Failure](t, l, "failure"))
		got := proposed(t, l)
		same(t, "operators", operators, got[:min(7, len(got))])
	}
}

// errKilled stops a run like a kill.
var errKilled = errors.New("killed")

func TestResume(t *testing.T) {
	const budget = 240
	answer := func(_ context.Context, r llm.Request) (llm.Reply, error) {
		return llm.Reply{Text: methodtest.Scored(int(r.Draw), r.Draw)}, nil
	}
	whole := filepath.Join(t.TempDir(), "run")
	run(t, New(), &llm.Scripted{Answer: answer}, budget, whole)
	want := read(t, whole)
	for _, calls := range []int{5, 17, 200} {
		dir, n := filepath.Join(t.TempDir(), "run"), 0
		killed := methodtest.Model(func(i int, r llm.Request) string { return "" })
		killed.Answer = func(ctx context.Context, r llm.Request) (llm.Reply, error) {
			if len(killed.Requests()) > calls {
				return llm.Reply{}, errKilled
			}
			return answer(ctx, r)
		}
		c := benchtest.Config{
			Model:     killed,
			Budget:    budget,
			Analyzer:  programtest.Analyzer(t),
			Evaluator: &benchtest.Evaluator{Score: methodtest.Score},
		}
		if _, err := benchtest.Prepare(t, New(), c).Execute(t.Context(), dir); !errors.Is(
			err,
			errKilled,
		) {
			t.Fatalf("Execute = %v, want it killed", err)
		}
		blobs, err := filepath.Glob(filepath.Join(dir, "blobs", "*"))
		if err != nil {
			t.Fatal(err)
		}
		lost := ""
		for _, b := range blobs { // one that the journal contains
			if bytes.Contains(read(t, dir), []byte(filepath.Base(b))) {
				lost = b
			}
		}
		switch {
		case lost == "" && calls > 5:
			t.Errorf("killed after %d calls: the journal names no picture", calls)
		case lost != "":
			if err := os.Rename(lost, lost+".away"); err != nil {
				t.Fatal(err)
			}
			c.Model = llm.NewScripted(func(llm.Request) string { n++; return "" })
			_, err = benchtest.Prepare(t, New(), c).Execute(t.Context(), dir)
			if err == nil || !strings.Contains(err.Error(), filepath.Base(lost)) || n > 0 {
				t.Errorf(
					"without a blob: %v after %d requests, want an error that names %s",
					err,
					n,
					filepath.Base(lost),
				)
			}
			if err := os.Rename(lost+".away", lost); err != nil {
				t.Fatal(err)
			}
		}
		run(t, New(), &llm.Scripted{Answer: answer}, budget, dir)
		if !bytes.Equal(want, read(t, dir)) {
			t.Errorf("killed after %d calls: the resumed journal differs", calls)
		}
	}
}

func read(t *testing.T, dir string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "journal.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		set  func(*MLES)
		want string
	}{
		{"defaults", func(*MLES) {}, ""},
		{
			"no population",
			func(m *MLES) { m.Population = 0 },
			"population: 0 programs, want at least 1",
		},
		{"no parents", func(m *MLES) { m.Parents = 0 }, "parents: 0, want at least 1"},
		{
			"no window",
			func(m *MLES) { m.Window = -1 },
			"window: -1 proposals in flight, want at least 1",
		},
		{
			"a negative cap",
			func(m *MLES) { m.InitCap = -1 },
			"init-cap: -1 evaluations, want at least 1, or 0 for none",
		},
		{
			"another unit",
			func(m *MLES) { m.Unit = "tokens" },
			`unit: "tokens", want calls or evaluations`,
		},
		{
			"other records",
			func(m *MLES) { m.Records = "picture" },
			`records: "picture", want text or none`,
		},
		{"too hot", func(m *MLES) { m.Temperature = 3 }, "temperature: 3, want 0 to 2"},
		{"no tokens", func(m *MLES) { m.MaxTokens = 0 }, "max-tokens: 0, want at least 1"},
		{
			"another parser",
			func(m *MLES) { m.Parser = "lax" },
			`parser: "lax", want shared or strict`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, got := New(), ""
			tt.set(m)
			if err := m.Check(); err != nil {
				got = err.Error()
			}
			if got != tt.want {
				t.Errorf("Check() = %q, want %q", got, tt.want)
			}
		})
	}
}
