package cli

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/bench"
	"github.com/pacebench/pacebench/internal/hint"
	"github.com/pacebench/pacebench/llm"
	"github.com/pacebench/pacebench/methods"
	pytask "github.com/pacebench/pacebench/python/task"
	"github.com/pacebench/pacebench/suite"
	"github.com/pacebench/pacebench/tasks"
	"github.com/pacebench/pacebench/tasks/baselines"
)

// shells are the scripts that make a shell ask pacebench itself for completions: a command line
// that ends in --generate-bash-completion prints them, one a line. A word "--" is asked as "-":
// alone it would end the flags.
var shells = map[string]string{
	"bash": `_pacebench() {
  local word="${COMP_WORDS[COMP_CWORD]}" IFS=$'\n'
  COMPREPLY=($(compgen -W "$("${COMP_WORDS[@]:0:COMP_CWORD}" ` +
		`$([[ $word == -* ]] && printf %s "${word/%--/-}") \
    --generate-bash-completion 2>/dev/null)" -- "$word"))
}
complete -o bashdefault -o default -F _pacebench pacebench
`,
	"zsh": `#compdef pacebench
_pacebench() {
  local -a found
  local word=${words[CURRENT]}
  if [[ $word == -* ]]; then
    found=("${(@f)$(${words[1,CURRENT-1]} ${word/%--/-} --generate-bash-completion 2>/dev/null)}")
  else
    found=("${(@f)$(${words[1,CURRENT-1]} --generate-bash-completion 2>/dev/null)}")
  fi
  compadd -a found
  _files
}
compdef _pacebench pacebench
`,
}

func shellNames() []string { return []string{"bash", "zsh", "fish"} }

func (c *console) completionCommand() *cli.Command {
	return command(cli.Command{
		Name:        "completion",
		Usage:       "print the script that completes commands and flags in a shell",
		Description: "pacebench completion bash",
		ArgsUsage:   "bash|zsh|fish",

		BashComplete: completeNames(shellNames),
	}, 1, 1, func(cc *cli.Context) error {
		shell := cc.Args().First()
		if shell == "fish" {
			script, err := cc.App.ToFishCompletion()
			if err == nil {
				_, err = fmt.Fprint(c.out, script)
			}
			return err
		}
		script, ok := shells[shell]
		if !ok {
			return hint.Add(usagef("completion: no script for %q", shell),
				oneOf("shells", shell, shellNames()))
		}
		_, err := fmt.Fprint(c.out, script)
		return err
	})
}

// completeValues offers the values of a flag behind it, and else what complete offers.
func (c *console) completeValues(complete cli.BashCompleteFunc) cli.BashCompleteFunc {
	return func(cc *cli.Context) {
		values := map[string]func(*cli.Context) []string{
			"task": c.taskNames, "method": c.methodNames, "model": c.modelNames,
			"eap-model": c.modelNames, "test": c.testNames,
			"format": func(*cli.Context) []string { return exportFormats() },
		}
		flag := ""
		if n := len(os.Args); n > 3 && strings.HasPrefix(os.Args[n-2], "--") {
			flag = os.Args[n-2][2:] // before --generate-bash-completion
		}
		known := slices.ContainsFunc(cc.Command.Flags, func(f cli.Flag) bool {
			return slices.Contains(f.Names(), flag)
		})
		switch offer := values[flag]; {
		case known && offer != nil:
			fmt.Fprintln(cc.App.Writer, strings.Join(offer(cc), "\n"))
		case complete != nil:
			complete(cc)
		default:
			cli.DefaultCompleteWithFlags(cc.Command)(cc)
		}
	}
}

func (c *console) taskNames(*cli.Context) []string {
	names := suite.Map(tasks.All(), func(t *bench.Task) string { return t.Name })
	return append(names, pytask.LLM4AD()...)
}

func (c *console) methodNames(*cli.Context) []string {
	names := suite.Map(methods.All(), func(m bench.Method) string { return m.Name() })
	for _, r := range baselines.All("") {
		if !slices.Contains(names, r.Name) {
			names = append(names, r.Name)
		}
	}
	return names
}

// modelNames are the profiles, and how other models begin.
func (c *console) modelNames(*cli.Context) []string {
	names := suite.ProfileNames(suite.ModelsFile)
	for _, k := range slices.Sorted(maps.Keys(llm.Protocols)) {
		names = append(names, string(k)+":")
	}
	return append(names, "offline", "replay:")
}

// testNames are the splits of the task that the command names, or of all tasks.
func (c *console) testNames(*cli.Context) []string {
	names := []string{suite.Cheap, "all", "none"}
	one := ""
	if at := slices.Index(os.Args, "--task"); at >= 0 && at+1 < len(os.Args) {
		one = os.Args[at+1]
	}
	_, known := slices.BinarySearch(slices.Sorted(slices.Values(c.taskNames(nil))), one)
	for _, t := range tasks.All() {
		for _, s := range t.Splits[1:] {
			if (t.Name == one || !known) && !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	return names
}

// completeNames offers names after a command, and its flags after a dash.
func completeNames(names func() []string) cli.BashCompleteFunc {
	return func(cc *cli.Context) {
		if cc.NArg() == 0 {
			fmt.Fprintln(cc.App.Writer, strings.Join(names(), "\n"))
		}
		cli.DefaultCompleteWithFlags(cc.Command)(cc)
	}
}
