package bipedal

import (
	"bytes"
	_ "embed"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/internal/gym"
)

//go:embed testdata/checks.py
var checks string

func TestMain(m *testing.M) { tasktest.Main(m) }

const head = "import numpy as np\ndef choose_action(observation, last_action, prev_observation):\n "

func near(got, want []float64) bool {
	for i := range want {
		if len(got) != len(want) || math.Abs(got[i]-want[i]) > 1e-6 {
			return false
		}
	}
	return true
}

func reference(t *testing.T, name string) string {
	t.Helper()
	for _, r := range Task().References {
		if r.Name == name {
			return r.Source
		}
	}
	t.Fatalf("no reference %s", name)
	return ""
}

// TestThroughPython plays in real environments, with one set of processes for all.
func TestThroughPython(t *testing.T) {
	e := tasktest.Control(t, Task())
	for _, c := range []struct {
		name string
		test func(*testing.T, *bench.TaskEvaluator)
	}{
		{"programs", testPrograms}, {"printed", testPrintedProgram}, {"arguments", testArguments},
		{"rogues", testRogues}, {"one bad seed", testOneBadSeed},
		{"protocol", testProtocol}, {"probe", testProbe}, {"layout", testLayout},
		{"quick step", testQuickStep}, {"evidence", testEvidence},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, e) })
	}
}

// testPrograms scores programs with known returns.
func testPrograms(t *testing.T, e *bench.TaskEvaluator) {
	for _, c := range []struct {
		name, source string
		long         bool
		want         []float64
	}{
		{
			"limp", reference(t, "limp"), false,
			[]float64{-92.00686, -91.95797, -91.85418, -92.07193, -91.86863},
		},
		{
			"stand", reference(t, "stand"), true,
			[]float64{-8.397857, -8.407610, -8.421217, -8.402153, -8.436161},
		},
		{
			"stumble", reference(t, "stumble"), true,
			[]float64{144.934185, 63.631696, 33.313918, -58.096178, 71.620780},
		},
		{
			"a program that writes into its arguments and counts its calls",
			"calls = 0\n" + head + `global calls
 calls += 1
 assert calls <= 122
 observation[:] = last_action[:] = prev_observation[:] = 7
 return [0, 0, 0, 0]
`, false, []float64{-92.00686, -91.95797, -91.85418, -92.07193, -91.86863},
		},
	} {
		if c.long && !tasktest.Long() {
			continue
		}
		o, err := e.Evaluate(t.Context(), program.Program{Source: c.source})
		if err != nil || !o.OK() {
			t.Errorf("%s: %+v, %v", c.name, o.Fault, err)
			continue
		}
		for i, want := range c.want {
			if math.Abs(o.Values[i]-want) > 1e-5 {
				t.Errorf("%s: %v, want %v", c.name, o.Values, c.want)
				break
			}
		}
	}
}

// testPrintedProgram scores the program printed in the paper, if the paper's source is available:
// 143.110807357 in training, 133.711 in test.
func testPrintedProgram(t *testing.T, e *bench.TaskEvaluator) {
	source := tasktest.Printed(t, e.Task, "../../../shared/paper/pace.tex", "lst:app-best-bipedal")
	for split, want := range map[string][]float64{
		"train": {124.38254738, 156.25596715, 156.65246219, 124.74913155, 153.51392851},
		"test": {
			138.09374523, 148.17229563, 140.98855836, 138.50519888, 145.07273403,
			79.20747601, 149.38283685, 144.84304171, 92.57860111, 160.26193634,
		},
	} {
		if split == "test" && !tasktest.Long() {
			continue
		}
		o, err := e.Score(t.Context(), split, program.Program{Source: source})
		if err != nil || !o.OK() || !near(o.Values, want) {
			t.Errorf("%s: %+v, %v, want %v", split, o, err, want)
		}
		if split == "train" && math.Abs(o.Score-143.110807357) > 5e-10 {
			t.Errorf("train: %.9f", o.Score)
		}
	}
}

// testArguments runs a policy that reports its arguments.
func testArguments(t *testing.T, e *bench.TaskEvaluator) {
	for step, want := range []string{
		"float32 (24,) float32 (4,) [0.0, 0.0, 0.0, 0.0] float32 (24,) same",
		"float32 (24,) float32 (4,) [0.5, 1.0, -1.0, 0.0] float32 (24,) before",
	} {
		source := "import numpy as np\nkept = []\n" + head[19:] + fmt.Sprintf(
			`kept.append(observation.copy())
 if len(kept) == %d:
  told = [f"{a.dtype} {a.shape}" for a in (observation, last_action, prev_observation)]
  told.insert(2, last_action.tolist())
  told.append("before" if len(kept) > 1 and (prev_observation == kept[-2]).all() else "")
  if (prev_observation == observation).all(): told[-1] = "same"
  raise Exception(*[" ".join(map(str, told))])
 return [0.5, 3, -7, 0]
`, step+1)
		_, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 1}, source)
		if err == nil || !strings.HasSuffix(err.Error(), "Exception: "+want) ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("raised: seed 1, step %d: ", step+1)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// testRogues runs programs that misbehave in the middle of an episode.
func testRogues(t *testing.T, e *bench.TaskEvaluator) {
	task := Task()
	e = &bench.TaskEvaluator{Task: task, Loader: e.Loader, Hosts: e.Hosts}
	for _, c := range []struct{ does, want string }{
		{
			"return np.zeros(3)",
			"interface: seed 3, step 9: returned an array of shape [3], not an array of 4 numbers",
		},
		{"return [0, 0, 0, np.inf]", "nonfinite: seed 3, step 9: entry 3 of the action is +Inf"},
		{"raise ValueError('tired')", "raised: seed 3, step 9: line 7: ValueError: tired"},
		{"while True: pass", "timeout: seed 3: "},
		{"return np.ones(1 << 29)", "memory: seed 3: "},
		{"__import__('os')._exit(0)", "crashed: seed 3, step 9: "},
		{"raise SystemExit", "raised: seed 3, step 9: line 7: SystemExit"},
	} {
		task.Splits = Task().Splits
		if strings.HasPrefix(c.want, "timeout") {
			for i := range task.Splits {
				task.Splits[i].Limits.CPU = 2 * time.Second
			}
		}
		source := "calls = 0\n" + head + "global calls\n calls += 1\n if calls == 9:\n  " +
			c.does + "\n return [0] * 4\n"
		m, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 3}, source)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.does, err, c.want)
		}
		// The value after eight steps: the robot has begun to sink.
		if m.Value > 0 || m.Value < -2 {
			t.Errorf("%s: reached %v", c.does, m.Value)
		}
	}
	// The next program is unaffected.
	in := bench.Instance{Split: "train", Number: 3}
	m, err := tasktest.Play(t, e, in, head+"return np.zeros(4)\n")
	if err != nil || !near([]float64{m.Value}, []float64{-92.07192901793556}) {
		t.Errorf("%v, %v", m.Value, err)
	}
	// An episode without a call has the value of a fall.
	m, err = tasktest.Play(t, e, in, "def choose_action(observation):\n return 0\n")
	if err == nil || m.Value != -100 ||
		!strings.HasPrefix(err.Error(), "interface: seed 3, step 1: ") {
		t.Errorf("%v, %v", m.Value, err)
	}
}

// testOneBadSeed scores programs that fail on only one seed. In training, such a program has no
// score. On a test split, it has one episode without a step.
func testOneBadSeed(t *testing.T, e *bench.TaskEvaluator) {
	failing := func(seed int) program.Program {
		return program.Program{Source: fmt.Sprintf("import random\n"+
			"bad = random.random() == random.Random(%d).random()\n"+
			head+"if bad: raise IndexError(3)\n return np.zeros(4)\n", seed)}
	}
	o, err := e.Evaluate(t.Context(), failing(3))
	if err != nil || o.OK() || !strings.HasPrefix(o.Fault.Error(), "raised: seed 3, step 1: ") {
		t.Errorf("%+v, %v", o, err)
	}
	s, err := e.Test(t.Context(), "test", failing(13))
	if err != nil || s.Fault != nil || len(s.Values) != 10 || len(s.Failed) != 1 ||
		s.Failed[0].Instance != 3 {
		t.Fatalf("%+v, %v", s, err)
	}
	for i, v := range s.Values {
		if failed := i == 3; failed != (v == -100) || v > -80 {
			t.Errorf("instance %d: %v", i, v)
		}
	}
}

// testProtocol changes one part of the protocol at a time. Each change alters the printed program's
// score. Without a change, the score is the paper's (testPrintedProgram), so the task has the
// paper's protocol.
func testProtocol(t *testing.T, e *bench.TaskEvaluator) {
	source := tasktest.Printed(t, e.Task, "../../../shared/paper/pace.tex", "lst:app-best-bipedal")
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	for _, c := range []struct {
		name   string
		change func(*gym.Environment)
		want   float64
	}{
		{"float64 actions", func(e *gym.Environment) { e.Action.DType = "float64" }, 141.165},
		{"an opening step", func(e *gym.Environment) { e.Opening = make([]float64, 4) }, -51.9},
	} {
		other := environment
		c.change(&other)
		s := &bench.TaskEvaluator{Task: complete(other), Loader: e.Loader, Hosts: e.Hosts}
		o, err := s.Evaluate(t.Context(), program.Program{Source: source})
		if err != nil || math.Abs(o.Score-c.want) > 0.05 {
			t.Errorf("%s: %+v, %v, want %v", c.name, o, err, c.want)
		}
	}
	// This change uses one environment for several episodes.
	task := Task()
	task.Scorer.Modules["pacebench_gym"] += `
envs = {}
def make(job, fresh=make):
    return envs.setdefault("used", fresh(job))
`
	task.Scorer.Probe = nil
	used := &bench.TaskEvaluator{Task: task, Loader: e.Loader, Hosts: e.Hosts}
	for visit, want := range []float64{124.38254738, 140.83733919} {
		m, err := tasktest.Play(t, used, bench.Instance{Split: "train", Number: 0}, source)
		if err != nil || math.Abs(m.Value-want) > 0.01 {
			t.Errorf("visit %d: %v, %v, want %v", visit, m.Value, err, want)
		}
		if visit > 0 {
			continue
		}
		for seed := 1; seed < 5; seed++ {
			in := bench.Instance{Split: "train", Number: seed}
			if _, err := tasktest.Play(t, used, in, source); err != nil {
				t.Error(err)
			}
		}
	}
}

// testProbe changes the world, which the probe must refuse.
func testProbe(t *testing.T, e *bench.TaskEvaluator) {
	for name, python := range map[string]string{
		"slippery ground": "bipedal_walker.FRICTION = 2.4",
		"a heavier fall":  "bipedal_walker.SPEED_HIP = 5",
	} {
		task := Task()
		task.Scorer.Modules["pacebench_gym"] += "\n" +
			"from gymnasium.envs.box2d import bipedal_walker\n" + python + "\n"
		err := e.Hosts.Lend(t.Context(), task.Scorer, func(bench.Host) error { return nil })
		if err == nil || !strings.HasPrefix(err.Error(), "bipedal-walker: "+
			"BipedalWalker-v3 does not behave like the pinned environment: on seed 0, ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// testLayout checks the observation that the template's docstring describes against the bodies and
// joints of the engine.
func testLayout(t *testing.T, e *bench.TaskEvaluator) {
	v := checked(t, e, "layout", 0)
	worst, free, down := v[0].(bench.Float), v[1].(bench.Int), v[2].(bench.Float)
	if worst > 1e-6 || free == 0 || down > 3 {
		t.Errorf("off by %v; %d rays meet nothing; the hull is %v above the ground", worst, free,
			down)
	}
}

// checked calls a function of testdata/checks.py.
func checked(t *testing.T, e *bench.TaskEvaluator, name string, seeds int) (v []bench.Value) {
	t.Helper()
	scorer := Task().Scorer
	scorer.Modules["checks"], scorer.Main, scorer.Probe = checks, "checks", nil
	job := map[string]any{
		"id": environment.ID, "options": map[string]any{}, "modules": []string{"walker"},
		"source": "import numpy as np\n" + reference(t, "stumble"), "seeds": seeds,
	}
	must.Do(t, e.Hosts.Lend(t.Context(), scorer, func(h bench.Host) (err error) {
		v, err = h.Call(t.Context(), name, job, nil)
		return err
	}))
	return v
}

// testQuickStep plays the same actions with the faster step and with the stock step. Both must
// return the same values of the same types.
func testQuickStep(t *testing.T, e *bench.TaskEvaluator) {
	seeds := 1
	if tasktest.Long() {
		seeds = 10
	}
	said := string(checked(t, e, "compare", seeds)[0].(bench.Array).Data)
	if !strings.HasSuffix(said, " steps") {
		t.Error(said)
	}
}

// testEvidence checks the picture and the records of the worst episode, seed 3 of the limp robot.
func testEvidence(t *testing.T, e *bench.TaskEvaluator) {
	seen := &bench.TaskEvaluator{Task: e.Task, Loader: e.Loader, Hosts: e.Hosts, Evidence: true}
	o, err := seen.Evaluate(t.Context(), program.Program{Source: reference(t, "limp")})
	if err != nil || len(o.Evidence) != 2 {
		t.Fatalf("%+v, %v", o, err)
	}
	picture, records := o.Evidence[0], string(o.Evidence[1].Data)
	if picture.MediaType != "image/png" || !bytes.HasPrefix(picture.Data, []byte("\x89PNG")) {
		t.Errorf("%s, %d bytes", picture.MediaType, len(picture.Data))
	}
	if !strings.Contains(records, "-100") {
		t.Errorf("records:\n%s", records)
	}
}
