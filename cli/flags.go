package cli

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	pyenv "github.com/pacebench/pacebench/python/env"
	pymethod "github.com/pacebench/pacebench/python/method"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/suite"
)

// Most flags with numbers have a range. The Action of a flag refuses a value outside its range
// before the command begins, regardless of other flags. Whole numbers are decimal.

func (c *console) options(cc *cli.Context) suite.Options {
	o := suite.Options{
		Out: cc.String("out"), Seeds: cc.String("seeds"), Shard: cc.String("shard"),
		Test: cc.String("test"), DeepACO: cc.String("deepaco"),
		Evals: cc.Int("evals"), Runs: cc.Int("runs"),
		Paired: cc.Bool("paired"), Retry: cc.Bool("retry"), TimeScale: cc.Float64("time-scale"),

		Model: cc.String("model"), EAPModel: cc.String("eap-model"), Models: cc.String("models"),
		Record: cc.String("record"), BaseURL: cc.String("base-url"),
		Purse: &llm.Purse{Max: cc.Float64("max-usd")}, MaxTokens: cc.Int("max-tokens"),
		Concurrency: cc.Int("concurrency"), RPM: cc.Int("rpm"), TPM: cc.Int("tpm"),
		InsecureHTTP: cc.Bool("insecure-http"), NoSeed: cc.Bool("no-seed"),
		RequestTimeout: cc.Duration("request-timeout"),

		Jobs: cc.Int("jobs"), Lock: cc.String("env"), Python: cc.String("python"),
		MethodPatience: cc.Duration("method-patience"),
		Unsafe:         cc.Bool("unsafe-sandbox"), Quiet: cc.Bool("quiet"),
		LLM4AD: cc.String("llm4ad"),
		// check-method installs nothing. It names the command that installs what is missing.
		NoInstall: cc.Command.Name == "check-method",

		Given: map[string]bool{}, Log: c.err, Notes: c.err, Screen: c.screen,
		Version: Version, Revision: revision(),
	}
	if pass, ok := cc.Generic("pass-env").(*settings); ok {
		o.PassEnv = pass.list
	}
	o.Files = suite.NewFiles(cc.Context, o)
	if only, ok := cc.Generic("run").(*settings); ok {
		o.Only = only.list
	}
	if o.Quiet {
		o.Notes = io.Discard
	}
	for _, f := range cc.Command.Flags {
		name := f.Names()[0]
		o.Given[name] = cc.IsSet(name)
	}
	return o
}

// fileNames names the tasks and methods in Python that belong to the runs of a command.
type fileNames struct{ tasks, methods settings }

func (f *fileNames) taskFlag() cli.Flag {
	return &cli.GenericFlag{Name: "task", Value: &f.tasks,
		Usage: "Python file of a task of these runs, or llm4ad:NAME; may be repeated"}
}

func (f *fileNames) methodFlag() cli.Flag {
	return &cli.GenericFlag{Name: "method", Value: &f.methods,
		Usage: "Python file of a method of these runs; may be repeated"}
}

func (c *console) optionsWith(cc *cli.Context, files *fileNames) (suite.Options, error) {
	o := c.options(cc)
	for flag, names := range map[string][]string{
		"task": files.tasks.list, "method": files.methods.list,
	} {
		fault := "the name does not end in .py"
		if flag == "task" {
			fault += " and does not begin with llm4ad:"
		}
		for _, name := range names {
			if !pytask.Named(name) {
				return o, hint.Add(usagef("--%s %s: %s", flag, name, fault),
					"built-in "+flag+"s need no flag")
			}
		}
	}
	for _, name := range files.methods.list {
		if _, err := o.Files.OpenMethod(name); err != nil {
			return o, err
		}
	}
	return o, o.Files.Load(files.tasks.list...)
}

// intFlag returns a flag for a whole number from low to high.
func intFlag(name string, value, low, high int, usage string) decimalInt {
	return decimalInt{&cli.IntFlag{
		Name: name, Value: value, Usage: usage,
		Action: func(_ *cli.Context, n int) error {
			switch {
			case n >= low && n <= high:
				return nil
			case n > high:
				return usagef("--%s %d: must be at most %d", name, n, high)
			case low == 0:
				return usagef("--%s %d: must not be negative", name, n)
			}
			return usagef("--%s %d: must be at least %d", name, n, low)
		},
	}}
}

// A decimalInt is an IntFlag that reads only decimal numbers; the library reads 010 as 8.
type decimalInt struct{ *cli.IntFlag }

func (f decimalInt) Apply(set *flag.FlagSet) error {
	for _, name := range f.Names() {
		set.Var(&decimal{strconv.Itoa(f.Value), strconv.IntSize}, name, f.Usage)
	}
	return nil
}

// A decimalUint is a Uint64Flag that reads only decimal numbers.
type decimalUint struct{ *cli.Uint64Flag }

func (f decimalUint) Apply(set *flag.FlagSet) error {
	for _, name := range f.Names() {
		set.Var(&decimal{strconv.FormatUint(f.Value, 10), 0}, name, f.Usage)
	}
	return nil
}

// A decimal is a whole number in the form that the library parses: without leading zeros.
type decimal struct {
	text string
	bits int // of a signed number; 0: uint64
}

func (d *decimal) String() string { return d.text }

// Get implements flag.Getter, which cli.Context.Value calls.
func (d *decimal) Get() any { return d.text }

func (d *decimal) Set(text string) error {
	if d.bits == 0 {
		n, err := strconv.ParseUint(text, 10, 64)
		if err == nil {
			d.text = strconv.FormatUint(n, 10)
		}
		return err
	}
	n, err := strconv.ParseInt(text, 10, d.bits)
	if err == nil {
		d.text = strconv.FormatInt(n, 10)
	}
	return err
}

// choiceFlag returns a flag whose value is one of names. In messages, a value is called thing.
func choiceFlag(name, value, usage, thing string, names []string) cli.Flag {
	return &cli.StringFlag{
		Name: name, Value: value, Usage: usage,
		Action: func(_ *cli.Context, text string) error {
			if text == value || slices.Contains(names, text) {
				return nil
			}
			return hint.Add(usagef("--%s %s: there is no such %s", name, text, thing),
				oneOf(thing+"s", text, names))
		},
	}
}

// These bounds are far above any useful value. They keep a typing error from exhausting the
// machine.
const (
	maxJobs        = 1024
	maxConcurrency = 10000
)

func evalsFlag(value int) cli.Flag {
	return intFlag("evals", value, 1, suite.MaxEvals,
		"budget of each run: number of program evaluations")
}

func seedsFlag(value string, aliases ...string) cli.Flag {
	return &cli.StringFlag{Name: "seeds", Aliases: aliases, Value: value,
		Usage: "seeds or ranges of seeds, such as 1,2,3 or 1-10"}
}

// eventsFlag is used by the Python module.
func eventsFlag() cli.Flag {
	f := intFlag("events", 0, 0, math.MaxInt32,
		"write progress as lines of JSON to this open descriptor")
	f.Hidden = true
	return f
}

func runsFlag() cli.Flag {
	return intFlag("runs", 0, 0, maxJobs, "concurrent runs; 0: as many as --jobs")
}

// timeScaleFlag returns a flag for the factor on time limits.
func timeScaleFlag(usage string) cli.Flag {
	return &cli.Float64Flag{
		Name: "time-scale", Value: 1, Usage: usage,
		Action: func(_ *cli.Context, f float64) error {
			return suite.CheckTimeScale("--time-scale", f)
		},
	}
}

const timeScaleUsage = "factor on all time limits, from 1 to 100, for slow machines; " +
	"part of the run's name"

// usdFlag returns a flag for an amount of money in USD.
func usdFlag(name, usage string) cli.Flag {
	return &cli.Float64Flag{
		Name: name, Usage: usage,
		Action: func(_ *cli.Context, usd float64) error {
			if !(usd >= 0) || math.IsInf(usd, 0) {
				return usagef("--%s %g: must be a number of at least 0", name, usd)
			}
			return nil
		},
	}
}

func timeoutFlag(name string, value time.Duration, usage string) cli.Flag {
	return &cli.DurationFlag{
		Name: name, Value: value, Usage: usage,
		Action: func(_ *cli.Context, d time.Duration) error {
			if d <= 0 {
				return usagef("--%s %s: must be positive", name, d)
			}
			return nil
		},
	}
}

const runsDir = "runs"

// outFlag returns a flag for an output directory, which may exist.
func outFlag(name, value, usage string, aliases ...string) cli.Flag {
	return &cli.StringFlag{
		Name: name, Aliases: aliases, Value: value, Usage: usage,
		Action: func(_ *cli.Context, dir string) error {
			if dir == "" {
				return usagef("--%s: the name of the directory is empty", name)
			}
			if info, err := os.Stat(dir); err == nil && !info.IsDir() {
				return usagef("--%s %s: not a directory", name, dir)
			}
			return nil
		},
	}
}

// machineFlags select how and where the work is done.
func machineFlags() []cli.Flag {
	jobs := intFlag("jobs", runtime.NumCPU(), 1, maxJobs, "candidates evaluated concurrently")
	jobs.DefaultText = "as many as there are cores"
	return append(under(environmentCategory, jobs), placeFlags()...)
}

// methodFlags are machineFlags for commands that run methods, including methods in Python.
func methodFlags() []cli.Flag {
	return append(machineFlags(), under(environmentCategory,
		timeoutFlag("method-patience", pymethod.Patience,
			"CPU time that a method in Python may use between two calls"),
		&cli.GenericFlag{Name: "pass-env", Value: &settings{}, Usage: "NAME of an environment " +
			"variable that methods in Python receive; may be repeated"})...)
}

// placeFlags select where candidates and scorers run.
func placeFlags() []cli.Flag {
	return under(environmentCategory,
		choiceFlag("env", "", "packages of candidates: paper (NumPy 1.26) or current (NumPy 2); "+
			"default: paper if Python 3.11 or 3.12 is installed", "environment", pyenv.Locks()),
		&cli.StringFlag{Name: "python",
			Usage: "Python interpreter with NumPy, instead of the Python that pacebench sets up"},
		&cli.StringFlag{Name: "llm4ad",
			Usage: "checkout of LLM4AD with its tasks, instead of the locked package"},
		&cli.BoolFlag{Name: "unsafe-sandbox",
			Usage: "run candidates even if Landlock or seccomp is missing; every table says so"},
		&cli.BoolFlag{Name: "quiet",
			Usage: "show only results, warnings and errors"},
	)
}

// runFlags returns the common flags of commands that make runs.
func runFlags() []cli.Flag {
	return append([]cli.Flag{outFlag("out", runsDir, "directory of all runs")},
		testFlags()...)
}

func testFlags() []cli.Flag {
	return []cli.Flag{
		deepacoFlag(), timeScaleFlag(timeScaleUsage),
		testFlag(suite.Cheap),
	}
}

func testFlag(value string) cli.Flag {
	return &cli.StringFlag{Name: "test", Value: value,
		Usage: "splits that test the best program: cheap (each as long as at most 100 training " +
			"evaluations), all, none, or names separated by commas; val, which is part of all, " +
			"validates the ten best programs"}
}

func deepacoFlag() cli.Flag {
	return &cli.StringFlag{Name: "deepaco",
		Usage: "directory of DeepACO's checkpoints; empty: the directory of scripts/fetch-deepaco"}
}

// shareFlags let several processes share the runs of a suite.
func shareFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "shard", Usage: "one part of the runs, such as 2/8: " +
			"a run's name decides its part"},
		&cli.GenericFlag{Name: "run", Value: &settings{},
			Usage: "only this run, as --list names it; may be repeated"},
	}
}

func pairedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "paired", Usage: "variants share random numbers and answers with " +
		"the first variant of their method until their settings make them differ"}
}

// modelFlags select the models and limit their requests. The flags from --base-url on describe a
// model without a profile. They also apply to a profile that does not set the same value, and
// --max-tokens can lower the bound of a profile.
func modelFlags() []cli.Flag {
	return under(modelCategory,
		&cli.StringFlag{Name: "model", Value: "offline",
			Usage: llm.Kinds() + ", or a profile of models.toml"},
		&cli.StringFlag{Name: "eap-model",
			Usage: "model for PACE's EAP discovery (E1, E2, E3) instead of the run's model"},
		&cli.StringFlag{Name: "models", Value: suite.ModelsFile, Usage: "file of model profiles"},
		usdFlag("max-usd", "stop when all runs in --out together cost this many USD; 0: no limit"),
		&cli.StringFlag{Name: "record",
			Usage: "keep every answer in this directory, for --model replay:DIR"},
		&cli.StringFlag{Name: "base-url", EnvVars: []string{"OPENAI_BASE_URL"},
			Usage: "endpoint of an OpenAI-compatible server"},
		intFlag("max-tokens", 0, 0, math.MaxInt32,
			"bound on the tokens of one answer, in addition to the method's own; "+
				"0: no further bound"),
		&cli.BoolFlag{Name: "insecure-http",
			Usage: "allow plain http to other machines: keys travel unencrypted"},
		&cli.BoolFlag{Name: "no-seed", Usage: "do not send a seed, for servers that refuse it"},
		timeoutFlag("request-timeout", 2*time.Minute, "time limit for one attempt at a request"),
		intFlag("concurrency", 16, 1, maxConcurrency, "concurrent requests"),
		intFlag("rpm", 0, 0, math.MaxInt32, "requests per minute; 0: no limit"),
		intFlag("tpm", 0, 0, math.MaxInt32, "tokens per minute; 0: no limit"),
	)
}

// settings collects the values of a flag that may be repeated, such as --set. It is a flag type of
// its own, because the library's slices split values at commas.
type settings struct{ list []string }

func (s *settings) Set(v string) error { s.list = append(s.list, v); return nil }
func (s *settings) String() string     { return strings.Join(s.list, " ") }
func (s *settings) Get() any           { return s.list }

var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -+(.*)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -+(.*)$`)
	wrongValue   = regexp.MustCompile(
		`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+([a-z-]+): (.*)$`)
)

// onUsageError rewrites the library's message about a command's flags.
func onUsageError(cc *cli.Context, err error, _ bool) error {
	name, flags := "pacebench", []cli.Flag(nil)
	if cc.Command != nil && cc.Command.Name != "" && cc.Command.Name != name {
		name, flags = name+" "+cc.Command.Name, cc.Command.Flags
	}
	advice, text := name+" --help lists the flags", err.Error()
	if m := unknownFlag.FindStringSubmatch(text); m != nil {
		var known []string
		for _, f := range flags {
			known = append(known, "--"+f.Names()[0])
		}
		return hint.Add(usagef("no flag --%s", m[1]), didYouMean("--"+m[1], known)+advice)
	}
	if m := missingValue.FindStringSubmatch(text); m != nil {
		return hint.Add(usagef("--%s: needs a value", m[1]), advice)
	}
	if m := wrongValue.FindStringSubmatch(text); m != nil {
		return hint.Add(usagef("--%s %s: want %s", m[2], m[1], wanted(flags, m[2], m[3])), advice)
	}
	return hint.Add(usage(err), advice)
}

// wanted describes the values that a flag takes.
func wanted(flags []cli.Flag, name, why string) string {
	i := slices.IndexFunc(flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
	if i < 0 {
		return why
	}
	text := "a value: " + why
	switch flags[i].(type) {
	case decimalInt:
		text = "a whole number"
	case decimalUint:
		text = "a whole number that is not negative"
	case *cli.Float64Flag:
		text = "a number"
	case *cli.DurationFlag:
		text = "a duration, as in 30s or 2m"
	case *cli.BoolFlag:
		text = "true or false"
	}
	if strings.Contains(why, "out of range") {
		text += " that fits in 64 bits"
	}
	return text
}

// readProgram reads a Python file and removes the byte order mark that some editors write.
func readProgram(path string) (string, error) {
	data, err := readFile(path, maxProgram)
	if err != nil {
		return "", err
	}
	if !utf8.Valid(data) {
		return "", hint.Add(usagef("%s: not UTF-8 text", path), "save it as UTF-8")
	}
	return strings.TrimPrefix(string(data), "\uFEFF"), nil
}

// An output remembers the first error of a write, so that a command whose output is lost fails.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil {
		o.err = fmt.Errorf("the output cannot be written: %w", err)
	}
	return n, err
}
