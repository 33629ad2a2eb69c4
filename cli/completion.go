package cli

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/pacebench/pacebench/internal/hint"
)

// shells contains the scripts for bash and zsh. The shell calls pacebench with
// --generate-bash-completion, and the library prints one completion on each line. The scripts
// replace the word "--" by "-", because the library reads "--" as the end of the flags.
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

// completeNames offers names after a command, and the command's flags after a dash.
func completeNames(names func() []string) cli.BashCompleteFunc {
	return func(cc *cli.Context) {
		if cc.NArg() == 0 {
			fmt.Fprintln(cc.App.Writer, strings.Join(names(), "\n"))
		}
		cli.DefaultCompleteWithFlags(cc.Command)(cc)
	}
}
