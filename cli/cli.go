// Package cli contains the commands, their flags and their output. Start at Main. Results go to
// stdout, progress and messages to stderr.
package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/internal/plain"
	"github.com/pacebench/pacebench/python/sandbox"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/suite/status"
)

// Version is the release number that run.json records.
const Version = "0.1.0"

// revision returns the commit that the binary was built from. If the build recorded no commit, it
// returns the module's version, or "".
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	commit, dirty := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			commit = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "+changes"
		}
	}
	if commit == "" && info.Main.Version != "(devel)" {
		return info.Main.Version // go install knows only the module's version
	}
	return commit + dirty
}

func versionLine() string {
	rev := revision()
	if rev == "" {
		rev = "revision unknown"
	}
	return fmt.Sprintf("%s (%s, %s, %s/%s)",
		Version, rev, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// console is the input and the output of a command.
type console struct {
	in       io.Reader
	out, err io.Writer // both pass through printable
	screen   io.Writer // for the display; messages go to err
	columns  int       // width of out if it is a terminal; otherwise 0
}

// width returns the width of out if it is a terminal, and otherwise the argument.
func (c *console) width(otherwise int) int { return cmp.Or(c.columns, otherwise) }

// Main runs one command and returns its exit status: 0 for success, 1 for a failure, 2 if the
// command is wrong.
func Main(args []string, in io.Reader, out, errw io.Writer) int {
	if sandbox.Reexec() {
		return 0 // not reached, because a sandbox process exits on its own
	}
	if err := enoughAddresses(); err != nil {
		printError(errw, err)
		return 1
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the process immediately
	// A closed pipe, and a write beyond the limit on a file's size (ulimit -f), are errors of the
	// write and must not end the process.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGXFSZ)
	checked, screen := &output{w: printable(out)}, errw
	columns := status.Columns(out)
	errw = printable(errw)
	a := app(&console{in, checked, errw, screen, columns})
	err := a.RunContext(ctx, flagsFirst(a, args))
	if plain.Unsynced() {
		fmt.Fprintln(errw, "pacebench: note: this file system cannot flush files: a power cut "+
			"may lose the last lines of runs; use another disk to keep them")
	}
	if err == nil {
		err = checked.err
	}
	switch {
	case err == nil:
		return 0
	case ctx.Err() != nil:
		fmt.Fprintln(errw, "pacebench: stopped; run the same command again to continue")
		return 1
	}
	printError(errw, err)
	if u := (suite.UsageError{}); errors.As(err, &u) || errors.Is(err, bench.ErrConfig) {
		return 2
	}
	return 1
}

func printError(w io.Writer, err error) {
	fmt.Fprintln(w, "pacebench: error:", err)
	if hint := hint.Of(err); hint != "" {
		fmt.Fprintln(w, "pacebench: hint:", hint)
	}
}

// A group is a named list of commands in --help.
type group struct {
	name     string
	commands []*cli.Command
}

func (c *console) groups() []group {
	return []group{
		{"run", []*cli.Command{
			c.demoCommand(), c.runCommand(), c.suiteCommand(), c.poolCommand(), c.scoreCommand(),
		}},
		{"look", []*cli.Command{
			c.statusCommand(), c.reportCommand(), c.inspectCommand(), c.viewCommand(),
			c.exportCommand(), c.renderCommand(), c.tuneCommand(), c.explainCommand(),
			c.docsCommand(),
		}},
		{"check", []*cli.Command{
			c.verifyCommand(), c.checkTaskCommand(), c.regressCommand(), c.packCommand(),
			c.doctorCommand(),
		}},
		{"extend", []*cli.Command{
			c.listCommand(), c.newCommand(), c.lockCommand(), c.checkMethodCommand(),
		}},
		{"", []*cli.Command{c.trainCommand(), c.completionCommand()}}, // rarely used
	}
}

func app(c *console) *cli.App {
	var commands []*cli.Command
	for _, g := range c.groups() {
		for _, cmd := range g.commands {
			cmd.Category, cmd.Hidden = g.name, g.name == ""
			commands = append(commands, cmd)
		}
	}
	return &cli.App{
		Name:            "pacebench",
		Usage:           "a reproducible benchmark of LLM-based automated algorithm design",
		Version:         versionLine(),
		Reader:          c.in,
		Writer:          c.out,
		ErrWriter:       c.err,
		HideHelpCommand: true,
		ExitErrHandler:  func(*cli.Context, error) {}, // Main prints errors and chooses the status
		OnUsageError:    onUsageError,
		Action: func(cc *cli.Context) error {
			if cc.NArg() > 0 {
				word := cc.Args().First()
				known := suite.Map(cc.App.Commands,
					func(cmd *cli.Command) string { return cmd.Name })
				return hint.Add(usagef("no command %q", word),
					didYouMean(word, known)+"pacebench --help lists the commands")
			}
			return cli.ShowAppHelp(cc)
		},
		Commands:              commands,
		CustomAppHelpTemplate: overview(commands),
		EnableBashCompletion:  true,
	}
}

// flagsFirst moves a command's flags before its arguments. urfave/cli silently treats everything
// after the first argument as an argument, but people write "suite tsp-construct --seeds 1". Words
// after "--" are not moved. "help" and "version", which are commands in other programs, become
// flags.
func flagsFirst(a *cli.App, args []string) []string {
	if len(args) > 1 && a.Command(args[1]) == nil {
		switch args[1] {
		case "help": // help run
			args = append(append(args[:1:1], args[2:]...), "--help")
		case "version":
			args = append(args[:1:1], "--version")
		}
	}
	if len(args) < 2 || a.Command(args[1]) == nil ||
		args[len(args)-1] == "--generate-bash-completion" {
		return args
	}
	takesValue := map[string]bool{}
	for _, f := range a.Command(args[1]).Flags {
		_, isBool := f.(*cli.BoolFlag)
		for _, name := range f.Names() {
			takesValue[name] = !isBool
		}
	}
	var flags, rest []string
	help, ended := false, false
	for i := 2; i < len(args); i++ {
		name := strings.TrimLeft(args[i], "-")
		switch {
		case args[i] == "--help" || args[i] == "-h":
			help = true
		case args[i] == "--":
			rest, ended = append(rest, args[i+1:]...), true
			i = len(args)
		case args[i] == name || name == "":
			rest = append(rest, args[i])
		default:
			flags = append(flags, args[i])
			i++
			switch {
			case !takesValue[name]:
				i--
			case i < len(args):
				flags = append(flags, args[i])
			default: // the library reports the missing value only if no argument follows the flag
				rest = nil
			}
		}
	}
	switch {
	case help && args[1] == "suite" && len(rest) > 0:
		return []string{args[0], args[1], "--about", rest[0]}
	case help: // urfave/cli would take arguments for help topics
		return []string{args[0], args[1], "--help"}
	}
	if ended {
		flags = append(flags, "--")
	}
	return slices.Concat(args[:2], flags, rest)
}

// command adds the parts that all commands share: usage errors, help, and checks of the positional
// arguments and of flags that cannot be combined.
func command(cmd cli.Command, minArgs, maxArgs int, action cli.ActionFunc) *cli.Command {
	cmd.OnUsageError, cmd.CustomHelpTemplate = onUsageError, manual(&cmd)
	cmd.HideHelpCommand = true
	cmd.Action = func(cc *cli.Context) error {
		args := cc.Args().Slice()
		help := "pacebench " + cmd.Name + " --help shows its use"
		switch {
		case len(args) < minArgs:
			return hint.Add(usagef("%s: needs %s", cmd.Name, cmd.ArgsUsage), help)
		case slices.Contains(args, ""): // "$UNSET" must not mean the current directory
			return hint.Add(usagef("%s: an empty argument", cmd.Name), help)
		case maxArgs >= 0 && len(args) > maxArgs:
			return hint.Add(
				usagef("%s: unexpected argument %q", cmd.Name, args[maxArgs]), help)
		}
		if err := together(cc); err != nil {
			return err
		}
		return action(cc)
	}
	return &cmd
}
