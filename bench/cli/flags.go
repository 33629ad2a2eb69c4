package cli

import (
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/bench/hint"
	"github.com/pacebench/pacebench/bench/record"
)

// Flags carry their range: a value outside is refused before the command begins, whatever the
// other flags say. Numbers are decimal.

// intFlag is a whole number from low to high.
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

// A decimalInt is an IntFlag that reads decimal numbers only: the library takes 010 for 8.
type decimalInt struct{ *cli.IntFlag }

func (f decimalInt) Apply(set *flag.FlagSet) error {
	for _, name := range f.Names() {
		set.Var(&decimal{strconv.Itoa(f.Value), strconv.IntSize}, name, f.Usage)
	}
	return nil
}

// A decimalUint is a Uint64Flag that reads decimal numbers only.
type decimalUint struct{ *cli.Uint64Flag }

func (f decimalUint) Apply(set *flag.FlagSet) error {
	for _, name := range f.Names() {
		set.Var(&decimal{strconv.FormatUint(f.Value, 10), 0}, name, f.Usage)
	}
	return nil
}

// A decimal is a whole number as the library looks it up: without leading zeros.
type decimal struct {
	text string
	bits int // of a signed number; 0: uint64
}

func (d *decimal) String() string { return d.text }

// Get is for cli.Context.Value.
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

// Bounds that no sensible command reaches; they keep slips from taking the machine. Our choice.
const (
	maxJobs        = 1024
	maxConcurrency = 10000
	maxEvals       = math.MaxInt32 / bench.RequestsPerEvaluation
)

func evalsFlag(value int) cli.Flag {
	return intFlag("evals", value, 1, maxEvals, "budget of each run: complete-program evaluations")
}

func seedsFlag() cli.Flag {
	return &cli.StringFlag{Name: "seeds", Value: "1,2,3",
		Usage: "seeds and ranges of seeds, as in 1,2,3 or 1-10"}
}

func cellsFlag() cli.Flag {
	return intFlag("cells", 0, 0, maxJobs, "cells under way at once; 0: as many as --jobs")
}

// timeScaleFlag is the factor on limits of time.
func timeScaleFlag(usage string) cli.Flag {
	return &cli.Float64Flag{
		Name: "time-scale", Value: 1, Usage: usage,
		Action: func(_ *cli.Context, f float64) error {
			return checkTimeScale("--time-scale", f)
		},
	}
}

const timeScaleUsage = "factor on all limits of time, from 1 to 100, for slow machines; " +
	"part of the run's name"

func checkTimeScale(name string, f float64) error {
	if !(f >= 1 && f <= record.MaxTimeScale) {
		return usagef("%s %g: must be from 1 to %d", name, f, record.MaxTimeScale)
	}
	return nil
}

// usdFlag is an amount of money.
func usdFlag(name, usage string) cli.Flag {
	return &cli.Float64Flag{
		Name: name, Usage: usage,
		Action: func(_ *cli.Context, usd float64) error {
			if !(usd >= 0) || math.IsInf(usd, 0) {
				return usagef("--%s %g: must be a number that is not negative", name, usd)
			}
			return nil
		},
	}
}

// timeoutFlag is a positive duration.
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

// outFlag is a directory to write into, which may exist.
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

var (
	unknownFlag  = regexp.MustCompile(`^flag provided but not defined: -+(.*)$`)
	missingValue = regexp.MustCompile(`^flag needs an argument: -+(.*)$`)
	wrongValue   = regexp.MustCompile(
		`^invalid (?:boolean )?value "(.*)" for (?:flag )?-+([a-z-]+): (.*)$`)
)

// onUsageError says in our words what the library found wrong with a command's flags.
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
	return hint.Add(usageError{err}, advice)
}

// wanted says what values a flag takes.
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
		text += " in range"
	}
	return text
}

// oneOf is a hint: the known words, and the one that was perhaps meant.
func oneOf(what, word string, known []string) string {
	return didYouMean(word, known) + what + ": " + strings.Join(known, ", ")
}

// maxFile bounds an input file that a person writes: a suite, profiles, recorded scores.
const maxFile = 8 << 20

// readFile reads an input file of at most max bytes; /dev/zero is not a file to wait for.
func readFile(path string, max int) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, usageError{err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(max)+1))
	switch {
	case err != nil:
		return nil, usageError{err}
	case len(data) > max:
		return nil, usagef("%s: longer than %d bytes", path, max)
	}
	return data, nil
}

// readProgram reads a file of Python, without the byte order mark that some editors write.
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

// An output remembers the first error of a write, so that no command succeeds unread.
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
