package tasks

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/testkit/must"
	"github.com/pacebench/pacebench/internal/testkit/sandboxtest"
	"github.com/pacebench/pacebench/internal/testkit/tasktest"
	"github.com/pacebench/pacebench/program"
	"github.com/pacebench/pacebench/tasks/bipedal"
	"github.com/pacebench/pacebench/tasks/racingcar"
)

func TestMain(m *testing.M) { tasktest.Main(m) }

// worldAttacks are attacks by a policy's process on the world of a control task.
var worldAttacks = []sandboxtest.Attack{
	{
		Name: "makes an environment of its own", Source: "def f():\n    import gymnasium\n",
		Kinds: []bench.FaultKind{bench.Raised}, Detail: "ModuleNotFoundError",
	},
	{
		Name: "makes a world of its own", Source: "def f():\n    import Box2D\n",
		Kinds: []bench.FaultKind{bench.Raised}, Detail: "ModuleNotFoundError",
	},
	{Name: "looks for the track, the seed and the reward", Source: `
import gc, sys
def f():
    words = {"seed", "track", "env", "reward", "episode", "job", "ask"}
    found = sum(name.split(".")[0] in ` +
		`("gymnasium", "Box2D", "pygame", "pacebench_gym") for name in sys.modules)
    frame = sys._getframe(1)
    while frame is not None:
        found += len(words & set(frame.f_locals) | words & set(frame.f_globals))
        frame = frame.f_back
    return found + sum(` +
		`type(o).__module__.startswith(("gymnasium", "Box2D")) for o in gc.get_objects())
`, Value: bench.Int(0)},
}

// TestAttacksOnControl lets policies attack at their first call and continue to drive or walk, if
// they still can. The outcome must be a fault, or the value of a policy that does not attack. The
// next policy must get its exact value. The long tier runs all attacks on Bipedal Walker. Both
// tasks use the same processes, so worldAttacks and one attack of each kind are enough for Racing
// Car; the quick tier runs these attacks on Bipedal Walker.
func TestAttacksOnControl(t *testing.T) {
	t.Setenv("PACEBENCH_TEST_SECRET", sandboxtest.Secret)
	few := slices.Clone(worldAttacks)
	for _, kind := range [][]sandboxtest.Attack{
		sandboxtest.Files, sandboxtest.Processes, sandboxtest.Forging, sandboxtest.Tampering,
	} {
		few = append(few, kind[0])
	}
	all := few
	if tasktest.Long() {
		all = slices.Concat(worldAttacks, sandboxtest.Attacks())
	}
	t.Run(bipedal.Name, func(t *testing.T) {
		attack(t, bipedal.Task(), "[0.0, 0.0, 0.0, 0.0]", all) // a short episode
	})
	if tasktest.Long() {
		t.Run(racingcar.Name, func(t *testing.T) {
			attack(t, racingcar.Task(), "[0.0, 0.2, 0.0]", few)
		})
	}
}

func attack(t *testing.T, task *bench.Task, action string, attacks []sandboxtest.Attack) {
	e := tasktest.Control(t, task)
	task.Splits[0].Instances = 1 // an evaluation has one episode
	honest := policy("def f():\n    return 0\n", action, "")
	score := func(source string, limits bench.Limits) bench.Outcome {
		t.Helper()
		task.Splits[0].Limits = limits
		o, err := e.Score(t.Context(), "train", program.Program{Source: source})
		must.Do(t, err)
		return o
	}
	patient := task.Splits[0].Limits
	patient.Memory = 256 << 20
	want := score(honest, patient)
	if !want.OK() {
		t.Fatalf("the honest policy: %v", want.Fault)
	}
	for _, a := range attacks {
		t.Run(a.Name, func(t *testing.T) {
			limits := patient
			if slices.Contains(a.Kinds, bench.Timeout) {
				limits.CPU, limits.Wall = 5*time.Second, 6*time.Second
			}
			check := ""
			switch v := a.Value.(type) {
			case bench.Int:
				check = fmt.Sprintf("assert value == %d, value", v)
			case bench.Bool:
				check = fmt.Sprintf("assert value == %d, value", map[bench.Bool]int{true: 1}[v])
			}
			same := func(f sandboxtest.Attack) bool { return f.Name == a.Name }
			if slices.ContainsFunc(sandboxtest.Forging, same) {
				check = "" // Value is the forged reply, not the result of f
			}
			o := score(policy(a.Source, action, check), limits)
			switch {
			case o.Fault == nil && len(a.Kinds) > 0:
				t.Errorf("not stopped: %v", o.Values)
			case o.Fault == nil && !slices.Equal(o.Values, want.Values):
				t.Errorf("values %v, want %v as without the attack", o.Values, want.Values)
			case o.Fault != nil && strings.Contains(o.Fault.Detail, "AssertionError"):
				t.Errorf("the attack found something: %v", o.Fault)
			case len(a.Kinds) > 0 && strings.Contains(a.Detail, "ModuleNotFound") &&
				!strings.Contains(o.Fault.Detail, a.Detail):
				t.Errorf("fault %v, want %s", o.Fault, a.Detail)
			}
			if next := score(honest, patient); !cmp.Equal(next, want) {
				t.Errorf("the next policy has %+v, want %+v", next, want)
			}
		})
	}
}

// policy returns a program that attacks once, checks the result, and then repeats one action.
func policy(attack, action, check string) string {
	return attack + `
def choose_action(*arguments, attacks=[f]):
    if attacks:
        value = attacks.pop()()
        ` + check + "\n    return " + action + "\n"
}
