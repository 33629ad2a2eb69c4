package cli

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// wrongly runs a command that must end with status 2 and one line about the error. It returns what
// the command says.
func wrongly(t *testing.T, args ...string) string {
	t.Helper()
	var out, errw bytes.Buffer
	status := Main(append([]string{"pacebench"}, args...), strings.NewReader(""), &out, &errw)
	said := errw.String()
	if status != 2 || out.Len() > 0 || strings.Count(said, "pacebench: error: ") != 1 {
		t.Errorf("%q: status %d\n%s%s", args, status, out.String(), said)
	}
	return said
}

// inEmptyDir changes to an empty directory, without a cache, in which nothing may appear.
func inEmptyDir(t *testing.T) {
	t.Chdir(t.TempDir())
	t.Setenv("XDG_CACHE_HOME", "/dev/null/cache")
	t.Setenv("OPENAI_API_KEY", "")
	t.Cleanup(func() {
		if entries, err := os.ReadDir("."); err != nil || len(entries) > 0 {
			t.Errorf("the wrong commands left %v, %v", entries, err)
		}
	})
}

// TestWrongValues gives each of these flags every wrong value in the first command that has the
// flag, and one wrong value in each other command that has it.
func TestWrongValues(t *testing.T) {
	inEmptyDir(t)
	const least, negative, whole = "must be at least 1", "must not be negative",
		"want a whole number"
	type wrong map[string]string
	dir := wrong{"": "the name of the directory is empty", "/dev/null": "not a directory"}
	tested := map[string]bool{}
	values := map[string]wrong{
		"evals": {"0x10": whole, "1_000": whole, "1e3": whole, "1,000": whole, "many": whole,
			"99999999999999999999": whole + " that fits in 64 bits", "0": least, "-5": least,
			"999999999": "must be at most 429496729"},
		"jobs":        {"0": least, "-2": least, "100000": "must be at most 1024"},
		"runs":        {"-1": negative, "2000": "must be at most 1024"},
		"rpm":         {"-1": negative},
		"tpm":         {"-1": negative, "1.5": whole},
		"max-tokens":  {"-1": negative},
		"concurrency": {"0": least, "1000000": "must be at most 10000"},
		"max-usd": {"much": "want a number", "1,50": "want a number",
			"-1":  "must be a number of at least 0",
			"NaN": "must be a number of at least 0",
			"inf": "must be a number of at least 0"},
		"request-timeout": {"30": "want a duration, as in 30s or 2m", "0s": "must be positive",
			"-1s": "must be positive"},
		"no-seed":    {"maybe": "want true or false"},
		"time-scale": {"0.5": "must be from 1 to 100", "NaN": "must be from 1 to 100"},
		"env":        {"papper": "there is no such environment", "''": "there is no such"},
		"out":        dir, "report": dir,
	}
	for _, command := range app(&console{}).Commands {
		for _, f := range command.Flags {
			name := f.Names()[0]
			if slices.Contains([]string{"tune evals", "tune out", "pool runs", "pack out",
				"render out", "view out", "demo evals"}, command.Name+" "+name) {
				continue // it has another range, or is read later
			}
			for value, want := range values[name] {
				said := wrongly(t, command.Name, "--"+name+"="+value)
				if value == "inf" {
					value = "+Inf"
				}
				line := fmt.Sprintf("pacebench: error: --%s %s: %s", name, value, want)
				if value == "" {
					line = strings.Replace(line, " :", ":", 1)
				}
				if !strings.HasPrefix(said, line) {
					t.Errorf("%s says\n%swant\n%s", command.Name, said, line)
				}
				if tested[name] {
					break // one value shows that this command has the flag's range, too
				}
			}
			tested[name] = values[name] != nil
		}
	}
	for name := range values {
		if !tested[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

// wrongCommands are commands and parts of what they say. RUN stands for a run on TSP-Construct by
// the method that follows it, and " / " stands for the end of a line.
const wrongCommands = `# Commands, flags and arguments.
frobnicate => no command "frobnicate" / hint: pacebench --help lists the commands
verfy RUN => hint: did you mean verify? pacebench --help lists the commands
--frobnicate => no flag --frobnicate / hint: pacebench --help lists the flags
run --tsk tsp-construct
    => no flag --tsk / hint: did you mean --task? pacebench run --help lists the flags
verify somewhere --rescor => hint: did you mean --rescore?
demo --task tsp-aco => no flag --task
run --method pace --task => --task: needs a value
suite => suite: needs NAME|FILE / hint: pacebench suite --help
new method => new: needs method|task NAME
pack '' => pack: an empty argument
RUN pace extra => run: unexpected argument "extra"
run --method pace => --task is missing / hint: tasks: racing-car,
run --task tsp-construct => hint: pacebench list methods names the methods
pool => pool: no --task / hint: pacebench list tasks shows the tasks
regress runs => hint: it names the file to compare with, or to write with --update
train ppo => --task is missing / hint: tasks: racing-car, bipedal-walker
render --task bipedal-walker a => --out is missing
suite two.toml --submit => --submit needs --slurm
verify --tune => --tune needs --rescore
pool --task asp --runs 19 => --runs 19: must be at least 20
tune --evals -1 RUN => --evals -1: must not be negative
regress r --against x --tolerance 1 => --tolerance 1: must be at least 0 and less than 1

# Slurm, rules for seeds, pictures and pages.
suite --slurm nothing => no suite and no file "nothing"
suite --slurm ci --group 0 => --group 0: must be at least 1
suite --slurm ci --at-once -1 => --at-once -1: must not be negative
suite --slurm ci --stop-before soon => --stop-before soon: want a duration
suite k --until-separated => suite k: no [separate]
pool --task nowhere --dry-run => no task "nowhere"
run --task racing-car --method pace --set renderer=fast => want renderer=native, the default, or
render --task bipedal-walker /dev/null -o a.jpg => --out a.jpg: not a .gif, an .mp4 or a .png
render --task bipedal-walker /dev/null -o no/a.gif => --out: stat no: no such file or directory
render --task bipedal-walker /dev/null -o a.gif --frames 3 => --frames is for strips (.png) only
render --task bipedal-walker /dev/null -o a.gif --seed 7 => hint: seeds: 0 1 2 3 4
render --task bipedal-walker /dev/null -o a.gif --split tset => bipedal-walker has no such split
render --task bipedal-walker a.py -o a.gif => a.py: no such file or directory
render --task bipedal-walker /dev/null -o a.png --instance 3
    => --instance: bipedal-walker has episodes / hint: use --seed
render --task tsp-construct /dev/null -o a.gif => tsp-construct has no episodes / hint: -o FILE.png
render --task tsp-construct /dev/null -o a.png --seed 3
    => --seed: tsp-construct has no episodes / hint: --instance
render --task tsp-construct /dev/null -o a.png --instance 16
    => --instance 16: train has the instances 0 to 15
view . --listen '' => --listen : an empty address
view . --listen 8787 => address 8787: missing port

# Places where nothing is.
verify => stat runs: no such file
inspect nowhere => hint: RUN is a directory with a journal.jsonl
status nowhere => hint: DIR is a directory of runs
report => hint: name a directory of runs, as written by run, suite or demo
report --pool nowhere . => nowhere: no such file
view nowhere => hint: name a directory of runs
tune nowhere => nowhere: no such
pack nowhere => nowhere: no such file
pack /dev/null => /dev/null: not a directory
score --task tsp-aco a.py => hint: FILE.py is a program, such as best.py in the directory
score --task tsp-aco /dev => read /dev: is a directory
score --task tsp-aco /dev/zero => /dev/zero: longer than 262144 bytes
report --method climb => --method climb: the name does not end in .py
report --task change => --task change: the name does not end in .py and does not begin with
new method hill => hint: clone the repository and run
verify --trust-code abc . => --trust-code abc: this is not a digest

# Words of lists.
list everything => hint: lists: methods, tasks, suites
list task => hint: did you mean tasks?
completion Fish => hint: did you mean fish? shells: bash, zsh, fish
docs modles => hint: did you mean models? for the list of pages, run: pacebench docs
completion powershell => no script for "powershell" / hint: shells:
doctor --env papper => hint: did you mean paper? environments: paper, current
doctor --packages a,rl => hint: packages: vision, control, rl, llm4ad
report . --bold Paper => hint: did you mean paper? rules: separated, paper
report . --select test => --select test: there is no such rule
train PPO --task racing-car => hint: did you mean ppo? policies: ppo
train ppo --task tsp-aco => hint: tasks with a PPO row: racing-car, bipedal-walker
train ppo --task racing-car --set gama=1 => hint: did you mean gamma? settings of ppo: barrier
train ppo --task racing-car --set gamma=high => --set gamma=high: "high" is not a number
train ppo --task racing-car --seed -1 => --seed -1: want a whole number that is not negative
train ppo --task racing-car --test tests
    => hint: did you mean test? use cheap, all, none, or some of val,test
view . --listen nonsense => hint: want HOST:PORT, as in 127.0.0.1:8017

# Tasks, methods, splits and seeds.
run --task tsp --method pace
    => no task "tsp" / hint: did you mean tsp-aco or tsp-construct or tsp-gls or
run --task change --method pace
    => name a task in Python by its file, and a task of LLM4AD by llm4ad:NAME
run --task tsp-aco@replicates=1 --method pace => no task "tsp-aco@replicates=1"
RUN gredy => unknown method "gredy" / hint: did you mean greedy?
RUN pace@k=5 => unknown method "pace@k=5"
RUN aco => aco is a baseline of tsp-aco, cvrp-aco, mkp-aco, op-aco, bpp-aco, not
RUN mles --set population=0
    => method mles does not run on task tsp-construct: the method shows the
RUN pace --test test51
    => no test split "test51" / hint: did you mean test50? use cheap, all, none, or some of val,
RUN pace --test train => has no test split "train"
RUN pace --test test50,test200,test50 => test50 appears twice
RUN pace --test '' => has no test split ""
score --task tsp-construct --split train,tset50 a.py
    => hint: did you mean test50? splits: train, val, test50, test200, test500, test1000
RUN pace --seed -1 => --seeds -1: "-1" is not a whole number or a range
suite ci --shard 0/2 => hint: write 1/8 for the first of eight parts
suite ci --shard 1 => --shard 1: want a part and the number of parts
suite ci --shard '' => --shard : want a part and the number of parts
suite ci --list --run tsp-construct/pase/offline/1
    => hint: did you mean tsp-construct/pace/offline/1? --list shows the runs of the suite
suite Paper --dry-run => hint: did you mean paper? suites: paper, control,
suite /dev => is a directory
suite /dev/zero => /dev/zero: longer than 8388608 bytes
suite /dev/null => hint: pacebench docs suites shows a suite file

# Settings of methods and of tasks.
RUN pace --set windw=5 --set ts=no
    => --set windw=5: method pace has no setting "windw" / hint: did you mean window? settings of
RUN pace --set k=0 => pace: k: 0, want at least 1
RUN greedy --set k=5 => --set k=5: greedy is a baseline without settings
score --task asp --set k=5 a.py
    => --set k=5: score accepts only the settings of a task: renderer, idle-cost and texts
score --task asp --set renderer=stock a.py => --set renderer=stock: task asp has no pictures to draw
score --task racing-car --set renderer=best a.py
    => want renderer=native, the default, or renderer=stock
score --task tsp-aco --set texts=short a.py => want texts=own, the default, or texts=source

# Models.
RUN pace --model '' => --model
RUN pace --model gpt-4o
    => did you mean gpt-4o-mini? profiles: deepseek-v4-flash, gemini-3.1-flash-lite, gpt-4o-mini; or
RUN pace --model claude:sonnet
    => "claude" is not a kind of model; want one of offline, openai:MODEL, replay:DIR
RUN pace --model openai:m => hint: set OPENAI_API_KEY, or name another server with --base-url
RUN pace --model openai:m --base-url ftp://127.0.0.1 => base URL:
RUN pace --model replay:nowhere => nowhere
RUN pace --model scripted:nowhere => nowhere
RUN pace --eap-model gpt => --eap-model gpt: no such profile in models.toml
RUN eoh --eap-model offline => --eap-model offline: method eoh uses no EAPs
RUN pace --models missing.toml => hint: pacebench docs models shows an example
RUN pace --models /dev/zero => /dev/zero: longer than 8388608 bytes
RUN pace --record '' => --record: the name of the directory is empty
RUN pace --record /dev/null => --record /dev/null: mkdir /dev/null: not a directory
`

// TestWrongCommands: the message about a wrong command says what is wrong, and how to correct it.
func TestWrongCommands(t *testing.T) {
	inEmptyDir(t)
	lines := strings.ReplaceAll(wrongCommands, "\n    =>", " =>")
	for entry := range strings.SplitSeq(lines, "\n") {
		command, want, found := strings.Cut(entry, " => ")
		if !found {
			continue
		}
		if method, isRun := strings.CutPrefix(command, "RUN "); isRun {
			command = "run --task tsp-construct --method " + method
		}
		args := strings.Fields(command)
		for i, arg := range args {
			if arg == "''" {
				args[i] = ""
			}
		}
		want = strings.ReplaceAll(want, " / hint: ", "\npacebench: hint: ")
		if said := wrongly(t, args...); !strings.Contains(said, want) {
			t.Errorf("%s says\n%swant %s", command, said, want)
		}
	}
}

// TestHelpOfEveryCommand: each command explains itself, also after an argument.
func TestHelpOfEveryCommand(t *testing.T) {
	for _, command := range app(&console{}).Commands {
		if command.Hidden || command.Name == "help" {
			continue
		}
		for _, args := range [][]string{{"--help"}, {"x", "-h"}} {
			if command.Name == "suite" && len(args) > 1 {
				continue // the help of that suite
			}
			var out, errw bytes.Buffer
			args = append([]string{"pacebench", command.Name}, args...)
			status := Main(args, strings.NewReader(""), &out, &errw)
			if status != 0 || errw.Len() > 0 || !strings.Contains(out.String(), "EXAMPLE:") ||
				!strings.HasPrefix(out.String(), "NAME:\n   pacebench "+command.Name+" - ") {
				t.Errorf("%v: status %d\n%s%s", args, status, out.String(), errw.String())
			}
		}
	}
}
