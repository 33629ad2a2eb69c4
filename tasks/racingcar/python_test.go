package racingcar

import (
	"bytes"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

const head = "import numpy as np\nimport cv2\n" +
	"def choose_action(observation, car_speed, pre_action, pre_observation):\n "

// straight drives off the map of seed 1 at step 355, with 21 of 275 tiles.
const straight = head + "return [0.0, 0.2, 0.0]\n"

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

func near(got, want float64) bool { return math.Abs(got-want) <= 5e-5 }

func tiles(n, of float64) float64 { return 100 * n / of }

// TestThroughPython plays in real environments, with one set of processes for all.
func TestThroughPython(t *testing.T) {
	e := tasktest.Control(t, Task())
	for _, c := range []struct {
		name string
		test func(*testing.T, *bench.TaskEvaluator)
	}{
		{"floors", testFloors}, {"printed", testPrintedProgram}, {"clipping", testClipping},
		{"arguments", testArguments}, {"rogues", testRogues}, {"stock", testStock},
		{"probe", testProbe}, {"truncation", testTruncation}, {"evidence", testEvidence},
	} {
		t.Run(c.name, func(t *testing.T) { c.test(t, e) })
	}
}

// testFloors scores programs that ignore the picture, and the reference driver. The long tier plays
// each program on one of the training seeds.
func testFloors(t *testing.T, e *bench.TaskEvaluator) {
	m, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 0}, straight)
	if err != nil || !near(m.Value, tiles(21, 275)) {
		t.Errorf("straight ahead on seed 1: %+v, %v", m, err)
	}
	if !tasktest.Long() {
		return
	}
	body := strings.ReplaceAll(e.Task.Template.Body, "\n", "\n ") + "\n"
	for i, c := range []struct {
		name, source string
		want         float64
	}{
		{"the default", head + body, tiles(63, 275)},
		{"straight ahead", straight, tiles(21, 335)},
		{"nothing", reference(t, "nothing"), tiles(16, 271)},
		{"road_ahead", reference(t, "road_ahead"), 100},
	} {
		m, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: i}, c.source)
		if err != nil || !near(m.Value, c.want) {
			t.Errorf("%s: %+v, %v, want %v", c.name, m, err, c.want)
		}
	}
}

// testStock checks that a program whose actions depend on the pictures has the same score with
// Gymnasium's own pictures.
func testStock(t *testing.T, e *bench.TaskEvaluator) {
	task, _ := Lookup(Stock)
	s := &bench.TaskEvaluator{Task: task, Loader: e.Loader, Hosts: e.Hosts}
	dizzy := head + "return [np.sin(observation.sum() + pre_observation.sum() % 7), 0.6, 0.0]\n"
	if !tasktest.Long() {
		dizzy = "steps = 0\n" + strings.Replace(dizzy, "return", "global steps\n steps += 1\n "+
			"if steps == 40: "+
			"raise ValueError(observation.sum(), pre_observation.sum(), car_speed)\n return", 1)
	}
	in := bench.Instance{Split: "train", Number: 0}
	native, err := tasktest.Play(t, e, in, dizzy)
	stock, err2 := tasktest.Play(t, s, in, dizzy)
	if native.Value != stock.Value || fmt.Sprint(err) != fmt.Sprint(err2) ||
		tasktest.Long() && err != nil {
		t.Errorf("native %v, %v; stock %v, %v", native.Value, err, stock.Value, err2)
	}
}

// printed returns the program that the paper prints. It skips the test outside the long tier.
func printed(t *testing.T, e *bench.TaskEvaluator) string {
	t.Helper()
	const paper = "../../../shared/paper/pace.tex"
	source := tasktest.Printed(t, e.Task, paper, "lst:app-best-Racing Car")
	if !tasktest.Long() {
		t.Skip("long: scripts/test-long runs it")
	}
	return source
}

// testPrintedProgram scores the program printed in the paper, if the paper's source is available:
// 100 in training, 98.9038 in test.
func testPrintedProgram(t *testing.T, e *bench.TaskEvaluator) {
	source := printed(t, e)
	o, err := e.Evaluate(t.Context(), program.Program{Source: source})
	if err != nil || len(o.Values) != 4 || !near(slices.Min(o.Values), 100) ||
		!near(slices.Max(o.Values), 100) {
		t.Errorf("training: %+v, %v", o, err)
	}
	// Every third of the ten test instances is played. The values of all ten are, in order,
	// 99.3355, 98.8417, 100, 98.9324, 100, 97.7049, 99.3127, 98.3389, 100 and 96.5714.
	for number, want := range map[int]float64{0: 99.3355, 3: 98.9324, 6: 99.3127, 9: 96.5714} {
		m, err := tasktest.Play(t, e, bench.Instance{Split: "test", Number: number}, source)
		if err != nil || !near(m.Value, want) {
			t.Errorf("test %d: %+v, %v, want %v", number, m, err, want)
		}
	}
	// The lap rule: the drive ends at 100 % and step 869, so a program that fails in its 870th call
	// never fails.
	for calls, want := range map[int]string{870: "", 869: "raised: seed 1, step 869: "} {
		counting := source + fmt.Sprintf("\ndrive, calls = choose_action, 0\n"+
			"def choose_action(*args):\n global calls\n calls += 1\n"+
			" assert calls < %d\n return drive(*args)\n", calls)
		_, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 0}, counting)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("failing in call %d: %v", calls, err)
		}
	}
}

// testClipping drives with actions out of bounds, which the policy must see unchanged.
func testClipping(t *testing.T, e *bench.TaskEvaluator) {
	within := head + "return np.array([1.0, 1.0, 0.0])\n"
	beyond := "first = True\n" + head + `global first
 assert pre_action.tolist() == ([0, 1, 0] if first else [5, 9, -3])
 first = False
 return (5, 9, -3)
`
	cut := "seen = []\n" // ends both after 60 steps, and says what was seen
	var said [2]string
	for i, source := range []string{within, beyond} {
		source = cut + strings.Replace(source, head, head+"seen.append(int(observation.sum()))\n "+
			"if len(seen) == 60: raise ValueError(sum(seen), car_speed)\n ", 1)
		m, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 0}, source)
		if err == nil || m.Value == 0 {
			t.Errorf("%+v, %v", m, err)
			continue
		}
		_, said[i], _ = strings.Cut(err.Error(), "ValueError")
	}
	if said[0] != said[1] || said[0] == "" {
		t.Errorf("within bounds %s, beyond %s", said[0], said[1])
	}
}

// testArguments runs a policy that reports its arguments.
func testArguments(t *testing.T, e *bench.TaskEvaluator) {
	for step, want := range []string{
		"[0.0, 1.0, 0.0] uint8 (96, 96, 3) of the reset;",
		"[0.5, 3.0, 0.0] uint8 (96, 96, 3) before;", "[0.5, 3.0, 0.0] uint8 (96, 96, 3) before;",
	} {
		want = "uint8 (96, 96, 3) float64 float64 (3,) " + want + " cv2 with 1 thread, narrow"
		source := "kept = []\n" + head + fmt.Sprintf(`kept.append(observation.copy())
 if len(kept) == %d:
  told = [f"{a.dtype} {a.shape}" for a in (observation, pre_action, pre_observation)]
  told[1:2] = [type(car_speed).__name__, told[1], pre_action.tolist()]
  before = len(kept) > 1 and (pre_observation == kept[-2]).all()
  told.append("before;" if before else `+
			`"of the reset;" if (pre_observation != observation).any() else "")
  wide = [f for f in cv2.getCPUFeaturesLine().split() if "AVX512" in f and f[-1] != "?"]
  raise Exception(" ".join(map(str, told)) + f" cv2 with {cv2.getNumThreads()} thread, "
    + (str(wide) if wide else "narrow"))
 pre_action[:] = 9
 observation[:] = pre_observation[:] = 0
 return [[0.5, 3, 0]]
`, step+1)
		_, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 1}, source)
		if err == nil || !strings.HasSuffix(err.Error(), "Exception: "+want) ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("raised: seed 2, step %d: ", step+1)) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// testRogues runs programs that misbehave in the middle of an episode. The tests of packages gym
// and bipedal have more such programs.
func testRogues(t *testing.T, e *bench.TaskEvaluator) {
	for _, c := range []struct {
		step       int
		does, want string
	}{
		{700, "raise ValueError('lost')", "raised: seed 3, step 700: line 8: ValueError: lost"},
		{9, "cv2.resize(observation, (30000, 30000))", "memory: seed 3: line 8: error: OpenCV"},
		{9, "cv2.resize(observation, (0, 0))", "raised: seed 3, step 9: line 8: error: OpenCV"},
	} {
		source := "calls = 0\n" + head + fmt.Sprintf("global calls\n calls += 1\n"+
			" if calls == %d:\n  %s\n return np.zeros(3)\n", c.step, c.does)
		m, err := tasktest.Play(t, e, bench.Instance{Split: "train", Number: 2}, source)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.does, err, c.want)
		}
		want := map[int]float64{9: tiles(2, 271), 700: tiles(10, 271)}[c.step]
		if !near(m.Value, want) {
			t.Errorf("%s: reached %v, want %v", c.does, m.Value, want)
		}
	}
	// Without a call the value is 0, although the opening was driven.
	in := bench.Instance{Split: "train", Number: 2}
	m, err := tasktest.Play(t, e, in, "def choose_action(observation):\n return 0\n")
	if err == nil || m.Value != 0 ||
		!strings.HasPrefix(err.Error(), "interface: seed 3, step 1: ") {
		t.Errorf("%v, %v", m.Value, err)
	}
}

// testProbe changes the world in ways that the probe must refuse.
func testProbe(t *testing.T, e *bench.TaskEvaluator) {
	const world = "\nfrom gymnasium.envs.box2d import car_dynamics, car_racing\n"
	for _, c := range []struct{ name, python, want string }{
		{"a lap ends at 95 %", `
class Laps(car_racing.FrictionDetector):
    def _contact(self, contact, begin):
        super()._contact(contact, begin)
        for body in (contact.fixtureA.body, contact.fixtureB.body):
            share = self.env.tile_visited_count / len(self.env.track)
            if getattr(body.userData, "idx", None) == 0 and share > self.lap_complete_percent:
                self.env.new_lap = True
car_racing.FrictionDetector = Laps
`, "an episode ends when the car crosses the first tile again"},
		{"another pixel, as another pygame draws it", `
def draw(self, mode, stock=car_racing.CarRacing._render):
    picture = stock(self, mode)
    picture[70, 47] += 1
    return picture
car_racing.CarRacing._render = draw
`, "on seed 1, the first 3 observations differ"},
		{
			"a stronger engine", "car_dynamics.ENGINE_POWER *= 1.01\n",
			"on seed 1, the action [0 0.2 0] ends an episode at step",
		},
	} {
		task := Task()
		task.Scorer.Modules["pacebench_gym"] += world + c.python
		err := e.Hosts.Lend(t.Context(), task.Scorer, func(bench.Host) error { return nil })
		const versions = "(gymnasium 1.2.3, box2d 2.3.10, pygame 2.6.1, numpy "
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.Contains(err.Error(), versions) || hint.Of(err) == "" {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// testTruncation keeps Gymnasium's limit of 1000 steps, which changes the printed program's score.
func testTruncation(t *testing.T, e *bench.TaskEvaluator) {
	source := printed(t, e)
	short := environment
	short.PastTruncation = false
	short.Modules, short.Decode = maps.Clone(short.Modules), decode
	short.Modules["view"] = view
	s := &bench.TaskEvaluator{Task: complete(Name, short), Loader: e.Loader, Hosts: e.Hosts}
	o, err := s.Evaluate(t.Context(), program.Program{Source: source})
	if err != nil || math.Abs(o.Score-95.6) > 0.05 {
		t.Errorf("%+v, %v, want 95.6", o, err)
	}
}

// testEvidence checks the picture of a drive.
func testEvidence(t *testing.T, e *bench.TaskEvaluator) {
	in := bench.Instance{Split: "train", Number: 2, Traced: true}
	m, err := tasktest.Play(t, e, in, straight)
	if err != nil || m.Trace == nil {
		t.Fatalf("%d bytes of trace, %v", len(m.Trace), err)
	}
	var blobs []bench.Blob
	err = e.Hosts.Lend(t.Context(), e.Task.Scorer, func(h bench.Host) (err error) {
		in.Host = h
		blobs, err = e.Task.Evidence(t.Context(), in, m.Trace)
		return err
	})
	if err != nil || len(blobs) != 1 || blobs[0].MediaType != "image/png" ||
		!bytes.HasPrefix(blobs[0].Data, []byte("\x89PNG")) {
		t.Errorf("%d pieces of evidence, %v", len(blobs), err)
	}
}
